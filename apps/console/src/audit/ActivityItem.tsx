import { Box, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ActivityEntry, mailServerId, type SentMail } from '@roomkeeper/contract'
import { isAdministrator } from '@roomkeeper/rules'
import { IconMail, IconMailCheck, IconMailX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { FailureText, managesOperationOf, OperationLog } from '#operations/index.ts'
import { useUndo } from '#rooms/index.ts'
import { DisclosureButton } from '#ui/DisclosureButton.tsx'
import { formatMoment, formatTime } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import classes from './Audit.module.css'
import { ChangesTable, useChangeTexts } from './ChangesTable.tsx'
import { WhyFailed } from './EntryOutcome.tsx'
import { detailBeside, nameOfActor, roomInSentence, sentenceOf } from './entry-names.ts'
import { Sentence } from './Sentence.tsx'

interface ActivityItemProps {
  entry: ActivityEntry
  /** It is one of the room whose page is open: with its day, all of its changes and its e-mails. */
  isOfRoom?: boolean
}

/** Who did what, what it changed from what to what, and the ways to its log and back. */
export function ActivityItem({ entry, isOfRoom = false }: ActivityItemProps) {
  const { t } = useTranslation(['activity', 'audit', 'operations', 'errors'])
  const { role } = useOperator()
  const [isLogOpen, log] = useDisclosure()
  const [isOpen, details] = useDisclosure()
  const { at, action, operationId, changes } = entry
  const detail = detailBeside(entry)
  const areAllShown = isOfRoom || isOpen
  return (
    <li className={`rk-column rk-gap-xs ${classes.entry}`}>
      <div className="rk-row rk-gap-sm">
        <time className="rk-note" dateTime={at} title={formatMoment(at)}>
          {isOfRoom ? formatMoment(at) : formatTime(at)}
        </time>
        <Sentence entry={entry} isOfRoom={isOfRoom} />
        {detail !== null && <span className="rk-dimmed rk-text">{detail}</span>}
        {!areAllShown && <ChangesInline entry={entry} />}
        <span className="rk-line rk-push">
          {!isOfRoom && changes.length > shownChanges && (
            <DisclosureButton isOpen={isOpen} toggle={details.toggle}>
              {t('changes')}
            </DisclosureButton>
          )}
          {operationId !== null && managesOperationOf(role, action) && (
            <DisclosureButton isOpen={isLogOpen} toggle={log.toggle}>
              {isLogOpen ? t('operations:hideLog') : t('operations:showLog')}
            </DisclosureButton>
          )}
          <UndoButton entry={entry} />
        </span>
      </div>
      <WhyFailed entry={entry} />
      {isOfRoom && <EntryMails entry={entry} />}
      {areAllShown && changes.length > 0 && <ChangesTable changes={changes} room={entry.room ?? ''} />}
      {isLogOpen && operationId !== null && <OperationLog operationId={operationId} />}
    </li>
  )
}

const shownChanges = 3

/** The first changes in one line, such as `Designer 47 → 60`. */
function ChangesInline({ entry: { changes, room } }: { entry: ActivityEntry }) {
  const { t } = useTranslation('activity')
  const { labelOf, valuesOf } = useChangeTexts({ tenantName: room ?? '' })
  const more = changes.length - shownChanges
  return (
    <>
      {changes.slice(0, shownChanges).map((change) => (
        <span key={change.field} className="rk-text">
          <span className="rk-note">{labelOf(change.field)}</span> {valuesOf(change)}
        </span>
      ))}
      {more > 0 && <span className="rk-note">{t('more', { count: more })}</span>}
    </>
  )
}

function UndoButton({ entry }: { entry: ActivityEntry }) {
  const { t } = useTranslation(['edit', 'activity', 'audit'])
  const undo = useUndo()
  const [isPending, setIsPending] = useState(false)
  const { id, room, undo: offered } = entry
  const { labelOf, valuesOf } = useChangeTexts({ tenantName: room ?? '' })
  if (offered === null || room === null) return null
  const back = offered.changes.map((change) => `${labelOf(change.field)} ${valuesOf(change)}`).join(' · ')
  const run = async () => {
    setIsPending(true)
    await undo({ id, room, undo: offered })
    setIsPending(false)
  }
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={isPending}
      title={
        offered.action === 'edit' ? t('undo.back', { changes: back }) : t(`${offered.action}.title`, { name: room })
      }
      aria-label={t('undo.of', { what: sentenceOf(entry, nameOfActor(entry.actor)).replace(roomInSentence, room) })}
      onClick={() => void run()}
    >
      {t('undo.action')}
    </Button>
  )
}

/** What became of the e-mails of an entry's operation, and why. */
function EntryMails({ entry }: { entry: ActivityEntry }) {
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
