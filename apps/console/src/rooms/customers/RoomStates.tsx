import { type Customer, projectRoomStates } from '@roomkeeper/contract'
import { useNumberFormat } from '#ui/format.ts'
import { StatePill, useRoomWords } from '../room-words.tsx'

/** How many rooms are in each state; those that no room is in are left out. */
export function RoomStates({ states }: Pick<Customer, 'states'>) {
  const words = useRoomWords()
  const number = useNumberFormat()
  return (
    <span className="rk-row">
      {projectRoomStates
        .filter((state) => states[state] > 0)
        .map((state) => (
          <StatePill key={state} isSmall state={state} words={words} count={number.format(states[state])} />
        ))}
    </span>
  )
}
