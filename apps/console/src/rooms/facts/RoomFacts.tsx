import { Skeleton } from '@mantine/core'
import { licencesOf, type ProjectRoom } from '@roomkeeper/contract'
import { roleMay } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { LabelLinks } from '#labels/index.ts'
import { stepTitle } from '#operations/index.ts'
import { formatDate, formatMinute, useNumberFormat } from '#ui/format.ts'
import { onDemand } from '#ui/on-demand.tsx'
import { SlowQuery } from '#ui/SlowAnswer.tsx'
import { Expiry } from '../Expiry.tsx'
import { useLicenceLabel } from '../form/use-field-labels.ts'
import { MailLink } from '../MailLink.tsx'
import { roomLicencesQuery } from '../queries.ts'
import { RegionDown, useRoomWords } from '../room-words.tsx'
import { LabelEditor } from './LabelEditor.tsx'
import classes from './RoomFacts.module.css'

const LastEvents = onDemand(() => import('#audit/LastEvents.tsx'), 'LastEvents')

interface RoomFactsProps {
  room: ProjectRoom
  /** Whether what the room's row does not say is asked for. */
  isComplete: boolean
}

/** What matters of a room, at a glance. */
export function RoomFacts({ room, isComplete, notes }: RoomFactsProps & { notes: ReactNode }) {
  const { t } = useTranslation(['room-facts', 'operations'])
  const { stepId, step } = room.runningOperation ?? { stepId: null, step: null }
  return (
    <div className={classes.root}>
      <p className={classes.state}>
        {t(`states.${room.projectRoomState}`)} {step !== null && t('running', { step: stepTitle(stepId, step) })}
      </p>
      <Labels room={room} />
      {notes}
      <div className={classes.facts}>
        <Facts title={t('room')}>
          <RoomValues room={room} />
        </Facts>
        <Facts title={t('licences.title')}>
          <Licences room={room} isComplete={isComplete} />
        </Facts>
        <Facts title={t('contacts')}>
          <Contacts room={room} />
        </Facts>
        <Facts title={t('events.title')}>
          <Suspense fallback={<Skeleton height={120} />}>
            <LastEvents room={room} isComplete={isComplete} />
          </Suspense>
        </Facts>
      </div>
    </div>
  )
}

/** For those who may change them, an editor of the same height. */
function Labels({ room }: { room: ProjectRoom }) {
  const { role } = useOperator()
  const links = <LabelLinks wraps labels={room.labels} />
  if (!roleMay('label', role)) return room.labels.length > 0 && links
  return (
    <Suspense fallback={<div className={classes.labels}>{links}</div>}>
      <LabelEditor room={room} />
    </Suspense>
  )
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rk-column rk-gap-xs" aria-label={title}>
      <h3 className="rk-group-title">{title}</h3>
      {children}
    </section>
  )
}

function RoomValues({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['rooms', 'form'])
  const words = useRoomWords()
  const { product, edition, productType, expirationDate, sapNumber, sapNumberLast } = room
  return (
    <dl className="rk-values">
      <Value name={t('fields.companyName.label')}>{room.companyName}</Value>
      <Value name={t('columns.product')}>
        {words.product[product] ?? product} · {words.edition[edition] ?? edition}
      </Value>
      <Value name={t('columns.regionName')}>
        <span className="rk-row">
          {words.region(room)} <RegionDown room={room} words={words} isNamed />
        </span>
      </Value>
      <Value name={t('columns.expirationDate')}>
        <Expiry day={expirationDate} words={words} />
      </Value>
      <Value name={t('columns.lastBackup')}>
        <LastBackup room={room} />
      </Value>
      <Value name={t('columns.creationDate')}>{formatDate(room.creationDate)}</Value>
      <Value name={t('columns.productType')}>{words.channel[productType] ?? words.unknownChannel}</Value>
      <Value name={t('form:field.sapNumber')}>{sapNumber}</Value>
      {sapNumberLast !== null && <Value name={t('form:field.sapNumberLast')}>{sapNumberLast}</Value>}
    </dl>
  )
}

function Value({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function LastBackup({ room: { lastBackupAt, lastBackupVerifiedAt } }: { room: ProjectRoom }) {
  const { t } = useTranslation(['rooms', 'room-facts'])
  if (lastBackupAt === null) return <strong className={classes.soon}>{t('lastBackup.none')}</strong>
  const tested =
    lastBackupVerifiedAt === null
      ? t('room-facts:untested')
      : t('lastBackup.restoredAt', { at: formatMinute(lastBackupVerifiedAt) })
  return (
    <>
      {formatMinute(lastBackupAt)}
      <div className="rk-note">{tested}</div>
    </>
  )
}

/** How many of each licence are sold and, as its region counts them, in use. */
function Licences({ room, isComplete }: RoomFactsProps) {
  const { t } = useTranslation('room-facts')
  const labelOf = useLicenceLabel()
  const number = useNumberFormat()
  const { tenantName, product, edition, projectRoomState, regionName } = room
  // In other states the region may not have the room, or is not asked.
  const isThere = projectRoomState === 'DEFAULT' || projectRoomState === 'SUSPENDED'
  const query = roomLicencesQuery(tenantName)
  const counted = useQuery({ ...query, enabled: isThere && isComplete })
  const usedOf = new Map(counted.data?.map(({ licenseKey, used }) => [licenseKey, used]))
  const licences = licencesOf(product, edition).map(({ key }) => ({
    key,
    sold: room.licenses[key] ?? 0,
    used: usedOf.get(key),
  }))
  return (
    <>
      <ul className={classes.licences}>
        {licences
          .filter(({ sold, used = 0 }) => sold + used > 0)
          .map(({ key, sold, used }) => (
            <li key={key} className={classes.licence} data-full={(used !== undefined && used >= sold) || undefined}>
              <span>{labelOf(key)}</span>
              <span>
                {used === undefined
                  ? t('licences.sold', { sold: number.format(sold) })
                  : t('licences.used', { used: number.format(used), sold: number.format(sold) })}
              </span>
              <span className={classes.bar} aria-hidden>
                <span style={{ width: `${Math.min(100, (100 * (used ?? 0)) / Math.max(1, sold))}%` }} />
              </span>
            </li>
          ))}
        {room.subLicenses
          .filter(({ subLicenseAmount }) => subLicenseAmount > 0)
          .map(({ licenseKey, subLicenseAmount }) => (
            <li key={licenseKey} className={classes.licence}>
              <span>{labelOf(licenseKey)}</span>
              <span>{number.format(subLicenseAmount)}</span>
            </li>
          ))}
      </ul>
      {isThere && isComplete && <SlowQuery query={counted} queryKey={query.queryKey} region={regionName} />}
      {counted.error !== null && <p className="rk-note">{t('licences.unknown')}</p>}
    </>
  )
}

function Contacts({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation('rooms')
  const { customerFirstName, customerLastName, customerEmail, additionalEmail, customerContactDetails } = room
  return (
    <dl className="rk-values">
      <Value name={t('columns.customerContact')}>{`${customerFirstName} ${customerLastName}`}</Value>
      <Value name={t('fields.customerEmail.label')}>
        <MailLink to={customerEmail} />
      </Value>
      {additionalEmail !== null && (
        <Value name={t('fields.additionalEmail.label')}>
          <MailLink to={additionalEmail} />
        </Value>
      )}
      {customerContactDetails !== null && (
        <Value name={t('fields.customerContactDetails.label')}>
          <span className={classes.lines}>{customerContactDetails}</span>
        </Value>
      )}
      {room.salesman !== null && <Value name={t('fields.salesman.label')}>{room.salesman}</Value>}
      <Value name={t('fields.salesmanEmail.label')}>
        <MailLink to={room.salesmanEmail} />
      </Value>
    </dl>
  )
}
