import { Box, Button, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type AuditEntry, mailServerId, type ProjectRoom, type SentMail } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { IconMail, IconMailCheck, IconMailX } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { usePollInterval } from '#api/events.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { apiQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { FailureText, managesOperationOf, OperationLog } from '#operations/index.ts'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { formatMoment } from '#ui/format.ts'
import { Panel } from '#ui/Page.tsx'
import { Pill } from '#ui/Pill.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { Pager } from '#ui/table/Pager.tsx'
import classes from './Audit.module.css'
import { ChangesTable } from './ChangesTable.tsx'
import { EntryOutcome, WhyFailed } from './EntryOutcome.tsx'
import { detailOf, nameOfActor, nameOfEntry } from './entry-names.ts'

const historySize = 20

interface RoomHistoryProps {
  room: ProjectRoom
  /** Counted from 1. */
  page: number
  onPage: (page: number) => void
}

/** Who did what with a room, when, and what it changed; newest first. */
export function RoomHistory({ room, page, onPage }: RoomHistoryProps) {
  const { t } = useTranslation('audit')
  const refetchInterval = usePollInterval()
  const { data, error, isPending, refetch } = useQuery({ ...roomHistoryQuery(room, page - 1), refetchInterval })
  return (
    <Panel title={t('title')} hint={t('hint')}>
      {error !== null && <LoadFailure title={t('loadFailed')} text={textOf(error)} onAgain={() => void refetch()} />}
      {isPending && <Skeleton height={180} />}
      {data?.totalElements === 0 && <p>{t('none')}</p>}
      {data !== undefined && data.totalElements > 0 && (
        <>
          <ol className="rk-list" aria-label={t('title')}>
            {data.data.map((entry) => (
              <HistoryEntry key={entry.id} entry={entry} room={room} />
            ))}
          </ol>
          {data.totalPages > 1 && (
            <Pager
              page={page}
              size={historySize}
              totalElements={data.totalElements}
              totalPages={data.totalPages}
              onPage={onPage}
            />
          )}
        </>
      )}
    </Panel>
  )
}

/** A page of a room's history, newest first; fetched again after each change of the room. @param page from 0 */
function roomHistoryQuery({ tenantName, version, runningOperation, projectRoomState }: ProjectRoom, page: number) {
  const occasion = [version, runningOperation?.operationId ?? null, projectRoomState]
  const key = ['rooms', 'history', tenantName, page, occasion]
  const query = { projectRoom: tenantName, page, size: historySize }
  return {
    ...apiQuery(key, 'roomHistory', { query }, { background: 'refetch-of-similar' }),
    placeholderData: keepPreviousData,
  }
}

interface HistoryEntryProps {
  entry: AuditEntry
  room: ProjectRoom
}

function HistoryEntry({ entry, room }: HistoryEntryProps) {
  const { t } = useTranslation(['audit', 'operations', 'errors'])
  const { role } = useOperator()
  const [isOpen, { toggle }] = useDisclosure()
  const { actor, at, action, detail, operationId, changes } = entry
  return (
    <Box component="li" py="xs" className={`rk-column rk-gap-xs ${classes.entry}`}>
      <div className="rk-row rk-gap-sm">
        <strong>{nameOfEntry(entry)}</strong>
        <EntryOutcome entry={entry} />
        <span className="rk-note">
          {nameOfActor(actor)} · <time dateTime={at}>{formatMoment(at)}</time>
        </span>
        {operationId !== null && managesOperationOf(role, action) && (
          <DisclosureButton isOpen={isOpen} toggle={toggle} ml="auto">
            {isOpen ? t('operations:hideLog') : t('operations:showLog')}
          </DisclosureButton>
        )}
      </div>
      <WhyFailed entry={entry} />
      <EntryMails entry={entry} />
      {detail !== null && <div className="rk-text">{detailOf(entry)}</div>}
      {changes.length > 0 && <ChangesTable changes={changes} room={room.tenantName} />}
      {isOpen && operationId !== null && <OperationLog operationId={operationId} />}
    </Box>
  )
}

/** What became of the e-mails of an entry's operation, and why. */
function EntryMails({ entry }: { entry: AuditEntry }) {
  if (entry.mails.length === 0) return null
  return (
    <ul className="rk-list rk-text">
      {entry.mails.map((mail) => (
        <Mail key={mail.id} mail={mail} />
      ))}
    </ul>
  )
}

const icons = { waiting: IconMail, delivered: IconMailCheck, ended: IconMailX }

function Mail({ mail: { id, to, state, errorText, errorReasons } }: { mail: SentMail }) {
  const { t } = useTranslation(['audit', 'errors'])
  const { role } = useOperator()
  const queryClient = useQueryClient()
  const again = useMutation({
    mutationFn: () => client.call('resendWebhookDelivery', { params: { id: mailServerId, deliveryId: id } }),
    meta: { failed: t('mail.failed') },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['rooms', 'history'] }),
  })
  const hasFailed = errorText !== null
  const tone = state === 'delivered' ? 'good' : state === 'ended' ? 'bad' : hasFailed ? 'warn' : 'busy'
  const isPerhapsDelivered = state !== 'delivered' && errorReasons.some(({ code }) => code === 'mail-unanswered')
  const shown = isPerhapsDelivered ? 'perhaps' : state === 'waiting' && hasFailed ? 'late' : state
  return (
    <Box component="li" className="rk-row" fz="xs">
      <Pill isLong tone={tone} icon={icons[state]}>
        {t(`mail.${shown}`, { to })}
      </Pill>
      {state !== 'delivered' && hasFailed && (
        <span>
          <FailureText reasons={errorReasons} text={errorText} />
        </span>
      )}
      {isAdministrator(role) && (state === 'ended' || hasFailed) && (
        <Button variant="subtle" size="compact-xs" loading={again.isPending} onClick={() => again.mutate()}>
          {t('mail.again')}
        </Button>
      )}
    </Box>
  )
}
