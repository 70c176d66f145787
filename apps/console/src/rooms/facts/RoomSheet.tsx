import { Button, CloseButton, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ProjectRoom } from '@roomkeeper/contract'
import { whyNotOpenEdit } from '@roomkeeper/rules'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { PinnedNotes } from '#notes/index.ts'
import { FailureText } from '#operations/index.ts'
import { RoomActionsButton } from '#room-actions/index.ts'
import { StatePill, useRoomWords } from '../room-words.tsx'
import { RoomFacts } from './RoomFacts.tsx'
import classes from './RoomSheet.module.css'

/** While the operator walks through the rows, only what they say is shown. */
const restMilliseconds = 200

interface RoomSheetProps {
  room: ProjectRoom
  onClose: () => void
}

/** A room beside the list that it is chosen from. The focus stays in the list. */
export function RoomSheet({ room, onClose }: RoomSheetProps) {
  const { t } = useTranslation(['room-facts', 'app'])
  const { role } = useOperator()
  const words = useRoomWords()
  const name = room.tenantName
  const [settled] = useDebouncedValue(name, restMilliseconds)
  return (
    <aside className={classes.sheet} aria-label={t('sheet', { name })} data-screen-only>
      <div className="rk-row">
        <Title order={2} size="h3" className="rk-text" aria-live="polite">
          {name}
        </Title>
        <StatePill state={room.projectRoomState} words={words} />
        <CloseButton className="rk-push" aria-label={t('app:close')} onClick={onClose} />
      </div>
      <div className="rk-row">
        {whyNotOpenEdit(room, role) === null && (
          <Button
            size="xs"
            renderRoot={(props) => (
              <Link {...props} to="/project/edit_project_room/$id" params={{ id: name }} preload={false} />
            )}
          >
            {t('open')}
          </Button>
        )}
        <RoomActionsButton key={name} room={room} />
      </div>
      {room.projectRoomState === 'ERROR' && room.errorMessage !== null && (
        <p className="rk-failure">
          <FailureText reasons={room.errorReasons} text={room.errorMessage} />
        </p>
      )}
      <RoomFacts
        key={name}
        room={room}
        isComplete={settled === name}
        notes={<PinnedNotes notes={room.pinnedNotes} />}
      />
    </aside>
  )
}
