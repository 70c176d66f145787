import type { AuditEntry } from '@roomkeeper/contract'
import { isActorOf, operatorOf, tokenNameOf } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { OutcomePill } from '#operations/index.ts'
import { isAttempt, nameOfActor, roomInSentence, sentenceOf } from './entry-names.ts'

interface SentenceProps {
  entry: AuditEntry
  /** Whether it is shown with its room, so that the room's name is no link. */
  isOfRoom: boolean
}

/** Who did what, in one sentence, and how it ended unless it was done. */
export function Sentence({ entry, isOfRoom }: SentenceProps) {
  const { t } = useTranslation(['activity', 'audit'])
  const { email } = useOperator()
  const token = tokenNameOf(entry.actor)
  const isOwn = isActorOf(entry.actor, email)
  const said = sentenceOf(entry, isOwn ? null : nameOfActor(operatorOf(entry.actor)))
  const [before = '', after] = said.split(roomInSentence)
  const { room, outcome } = entry
  return (
    <>
      <span className="rk-text">
        {before}
        {after !== undefined && room !== null && (
          <>
            {isOfRoom ? (
              <strong>{room}</strong>
            ) : (
              <Link to="/project/edit_project_room/$id" params={{ id: room }} preload={false}>
                {room}
              </Link>
            )}
            {after}
          </>
        )}
        {token !== null && <span className="rk-note"> {t('audit:trail.token', { name: token })}</span>}
      </span>
      {outcome !== null && outcome.state !== 'done' && isAttempt(entry) && <OutcomePill state={outcome.state} />}
    </>
  )
}
