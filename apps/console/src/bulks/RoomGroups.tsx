import { Text } from '@mantine/core'
import { useNumberFormat } from '#ui/format.ts'
import classes from './RoomGroups.module.css'

export interface RoomGroup {
  reason: string
  count: number
  /** Some of them, or all. */
  names: readonly string[]
}

interface RoomGroupsProps {
  title: string
  groups: readonly RoomGroup[]
}

/** Rooms by reason. Nothing if there are none. */
export function RoomGroups({ title, groups }: RoomGroupsProps) {
  const number = useNumberFormat()
  if (groups.length === 0) return null
  return (
    <section className={classes.root} aria-label={title}>
      <Text size="sm" fw={600} mt="md">
        {title}
      </Text>
      <dl>
        {groups.map(({ reason, count, names }) => (
          <div key={reason}>
            <dt>{`${number.format(count)} · ${reason}`}</dt>
            <dd>{`${names.join(', ')}${names.length > 0 && count > names.length ? ' …' : ''}`}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
