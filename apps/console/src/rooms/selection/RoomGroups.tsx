import { Text } from '@mantine/core'
import { useNumberFormat } from '#ui/format.ts'
import classes from './RoomGroups.module.css'

/** Names that are listed in a group before the rest is only counted. */
const mostNames = 20

interface RoomGroupsProps {
  title: string
  /** The names of rooms by what is said about them. */
  groups: ReadonlyMap<string, readonly string[]>
}

/** Rooms by reason. Nothing if there are none. */
export function RoomGroups({ title, groups }: RoomGroupsProps) {
  const number = useNumberFormat()
  if (groups.size === 0) return null
  return (
    <section className={classes.root} aria-label={title}>
      <Text size="sm" fw={600} mt="md">
        {title}
      </Text>
      <dl>
        {[...groups].map(([reason, names]) => (
          <div key={reason}>
            <dt>{`${number.format(names.length)} · ${reason}`}</dt>
            <dd>{`${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ' …' : ''}`}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
