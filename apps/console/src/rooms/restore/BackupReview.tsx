import { Box, Button, Checkbox, Group, SimpleGrid, Text } from '@mantine/core'
import type { BackupContents, ProjectRoom } from '@roomkeeper/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { databasesQuery } from '#databases/index.ts'
import { textOf } from '#locales/error-texts.ts'
import { formatBytes, formatMoment } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './restore.module.css'

interface BackupReviewProps {
  room: ProjectRoom
  backup: BackupContents
  confirmOtherRoom: boolean
  onConfirmOtherRoom: (isConfirmed: boolean) => void
}

/** Shows side by side the content of the backup and the content of the room that it would overwrite. */
export function BackupReview({ room, backup, confirmOtherRoom, onConfirmOtherRoom }: BackupReviewProps) {
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
        <p className="rk-note">
          {t('otherEdition', {
            found: t(`rooms:editions.${backup.edition}`),
            edition: t(`rooms:editions.${room.edition}`),
          })}
        </p>
      )}
      {unfit === null && isOfOtherRoom(room, backup) && (
        <ConsentBox>
          <IconAlertTriangle size={18} aria-hidden />
          <Checkbox
            label={t('confirmOtherRoom', values)}
            checked={confirmOtherRoom}
            onChange={(event) => onConfirmOtherRoom(event.currentTarget.checked)}
          />
        </ConsentBox>
      )}
    </>
  )
}

/** Around the consent to restore the backup of another room. */
export function ConsentBox({ children }: { children: ReactNode }) {
  return (
    <Group wrap="nowrap" gap="sm" px="md" py="sm" bdrs="md" className={`rk-warn ${classes.confirm}`}>
      {children}
    </Group>
  )
}

/** The content of a manifest. */
export function BackupFacts({ backup }: { backup: BackupContents }) {
  const { t, i18n } = useTranslation(['restore', 'rooms', 'form'])
  return (
    <Side title={t('backup.title')}>
      <Facts>
        <Fact name={t('form:field.tenantName')}>{backup.roomName}</Fact>
        <Fact name={t('backup.createdAt')}>{formatMoment(backup.createdAt)}</Fact>
        <Fact name={t('form:field.product')}>{t(`rooms:products.${backup.product}`)}</Fact>
        <Fact name={t('form:field.edition')}>{t(`rooms:editions.${backup.edition}`)}</Fact>
        <Fact name={t('backup.size')}>{formatBytes(backup.size, i18n.language)}</Fact>
        <Fact name={t('databases.title')}>
          {backup.databases.length === 0 ? t('databases.none') : backup.databases.join('\n')}
        </Fact>
      </Facts>
    </Side>
  )
}

function RoomNow({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['restore', 'rooms', 'form'])
  return (
    <Side title={t('now.title')} isDanger>
      <Facts>
        <Fact name={t('form:field.tenantName')}>{room.tenantName}</Fact>
        <Fact name={t('form:field.region')}>{room.regionName}</Fact>
        <Fact name={t('form:field.product')}>{t(`rooms:products.${room.product}`)}</Fact>
        <Fact name={t('form:field.edition')}>{t(`rooms:editions.${room.edition}`)}</Fact>
        <Fact name={t('rooms:fields.companyName.label')}>{room.companyName}</Fact>
        <Fact name={t('databases.title')}>
          <Databases room={room} />
        </Fact>
      </Facts>
      <p className="rk-note">{t('now.kept')}</p>
    </Side>
  )
}

interface SideProps {
  title: string
  /** Whether what it shows is overwritten. */
  isDanger?: boolean
  children: ReactNode
}

/** One of the two that are compared. */
function Side({ title, isDanger = false, children }: SideProps) {
  return (
    <Box
      component="section"
      p="md"
      className={`rk-column rk-gap-sm rk-panel ${classes.side}`}
      data-danger={isDanger || undefined}
      aria-label={title}
    >
      <h3 className="rk-text">{title}</h3>
      {children}
    </Box>
  )
}

function Facts({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={2} spacing="md" verticalSpacing="sm">
      {children}
    </SimpleGrid>
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

/** A read-only name and value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === ''
  return (
    <dl className="rk-text">
      <Text component="dt" inherit c="dimmed" fz="xs">
        {name}
      </Text>
      <dd>{isEmpty ? '–' : children}</dd>
    </dl>
  )
}
