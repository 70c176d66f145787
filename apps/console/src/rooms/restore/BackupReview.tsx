import { Button, Checkbox } from '@mantine/core'
import type { BackupContents, ProjectRoom } from '@roomkeeper/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { databasesQuery } from '#databases/index.ts'
import { formatBytes, formatMoment } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './restore.module.css'

interface BackupReviewProps {
  room: ProjectRoom
  backup: BackupContents
  otherRoomIsConfirmed: boolean
  onConfirmOtherRoom: (isConfirmed: boolean) => void
}

/** Shows side by side the content of the backup and the content of the room that it would overwrite. */
export function BackupReview({ room, backup, otherRoomIsConfirmed, onConfirmOtherRoom }: BackupReviewProps) {
  const { t } = useTranslation(['restore', 'rooms'])
  const unfit = whyUnfitFor(room, backup)
  const values = { backup: backup.roomName, room: room.tenantName, found: backup.product, product: room.product }
  return (
    <>
      <div className={classes.review}>
        <BackupFacts backup={backup} />
        <RoomNow room={room} />
      </div>
      {unfit !== null && <ProblemAlert title={t('unfit.title')}>{t(`unfit.${unfit}`, values)}</ProblemAlert>}
      {unfit === null && backup.edition !== room.edition && (
        <p className={classes.note}>
          {t('otherEdition', {
            found: t(`rooms:editions.${backup.edition}`),
            edition: t(`rooms:editions.${room.edition}`),
          })}
        </p>
      )}
      {unfit === null && isOfOtherRoom(room, backup) && (
        <div className={classes.confirm}>
          <IconAlertTriangle size={18} aria-hidden />
          <Checkbox
            label={t('confirmOtherRoom', values)}
            checked={otherRoomIsConfirmed}
            onChange={(event) => onConfirmOtherRoom(event.currentTarget.checked)}
          />
        </div>
      )}
    </>
  )
}

/** The content of a manifest. */
export function BackupFacts({ backup }: { backup: BackupContents }) {
  const { t, i18n } = useTranslation(['restore', 'rooms', 'form'])
  return (
    <section className={classes.side} aria-label={t('backup.title')}>
      <h3>{t('backup.title')}</h3>
      <div className={classes.facts}>
        <Fact name={t('form:field.tenantName')}>{backup.roomName}</Fact>
        <Fact name={t('backup.createdAt')}>{formatMoment(backup.createdAt)}</Fact>
        <Fact name={t('form:field.product')}>{t(`rooms:products.${backup.product}`)}</Fact>
        <Fact name={t('form:field.edition')}>{t(`rooms:editions.${backup.edition}`)}</Fact>
        <Fact name={t('backup.size')}>{formatBytes(backup.size, i18n.language)}</Fact>
        <Fact name={t('databases.title')}>
          {backup.databases.length === 0 ? t('databases.none') : backup.databases.join('\n')}
        </Fact>
      </div>
    </section>
  )
}

function RoomNow({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['restore', 'rooms', 'form'])
  return (
    <section className={classes.side} data-danger aria-label={t('now.title')}>
      <h3>{t('now.title')}</h3>
      <div className={classes.facts}>
        <Fact name={t('form:field.tenantName')}>{room.tenantName}</Fact>
        <Fact name={t('form:field.region')}>{room.regionName}</Fact>
        <Fact name={t('form:field.product')}>{t(`rooms:products.${room.product}`)}</Fact>
        <Fact name={t('form:field.edition')}>{t(`rooms:editions.${room.edition}`)}</Fact>
        <Fact name={t('rooms:fields.companyName.label')}>{room.companyName}</Fact>
        <Fact name={t('databases.title')}>
          <Databases room={room} />
        </Fact>
      </div>
      <p className={classes.note}>{t('now.kept')}</p>
    </section>
  )
}

/** The databases of the room with their sizes, one per line. */
function Databases({ room }: { room: ProjectRoom }) {
  const { t, i18n } = useTranslation(['restore', 'app'])
  const { data, error, refetch } = useQuery(databasesQuery(room))
  if (data !== undefined) {
    if (data.length === 0) return t('databases.none')
    return data.map((each) => `${each.databaseName}, ${formatBytes(each.size, i18n.language)}`).join('\n')
  }
  if (error === null) return t('app:loading')
  return (
    <>
      {`${t('databases.failed')} ${textOf(error)} `}
      <Button variant="default" size="compact-xs" onClick={() => void refetch()}>
        {t('app:tryAgain')}
      </Button>
    </>
  )
}

/** Why a backup cannot be restored into a room at all, or null. */
export function whyUnfitFor(
  room: Pick<ProjectRoom, 'product'>,
  backup: BackupContents,
): 'other-product' | 'product-backup' | null {
  if (backup.product !== room.product) return 'other-product'
  return backup.kind === 'product' ? 'product-backup' : null
}

/** Whether the backup is of another room and needs the operator's explicit consent. */
export function isOfOtherRoom(room: Pick<ProjectRoom, 'tenantName'>, backup: BackupContents): boolean {
  return backup.roomName !== room.tenantName
}

/** A read-only name and value, for a Section. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === ''
  return (
    <dl className={classes.fact}>
      <dt>{name}</dt>
      <dd>{isEmpty ? '–' : children}</dd>
    </dl>
  )
}
