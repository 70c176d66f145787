import type { Finding } from '@roomkeeper/contract'
import { Link } from '@tanstack/react-router'
import classes from './Consistency.module.css'
import { useFindingText } from './use-finding-text.ts'

interface FindingTextProps {
  finding: Finding
  /** Whether the name of the project room leads to the list, if the console has it. */
  isLinked?: boolean
}

export function FindingText({ finding, isLinked = false }: FindingTextProps) {
  const { before, room, behind } = useFindingText()(finding)
  return (
    <>
      {before}
      {room !== null && (
        <b className={classes.room}>
          {isLinked && finding.isRoomKnown ? (
            <Link to="/project/administration" search={{ q: room, in: 'tenant' }} preload={false}>
              {room}
            </Link>
          ) : (
            room
          )}
        </b>
      )}
      {behind}
    </>
  )
}
