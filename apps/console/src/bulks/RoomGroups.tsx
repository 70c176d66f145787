import { Box, Text } from '@mantine/core'
import { useNumberFormat } from '#ui/format.ts'

interface RoomGroup {
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
    <section aria-label={title}>
      <Text size="sm" fw={600} mt="md">
        {title}
      </Text>
      <Box component="dl" mt="2xs" fz="var(--rk-text-dense)">
        {groups.map(({ reason, count, names }) => (
          <Box key={reason} py="2xs">
            <Text component="dt" inherit fw={500}>
              {`${number.format(count)} · ${reason}`}
            </Text>
            <dd className="rk-text rk-dimmed">{`${names.join(', ')}${names.length > 0 && count > names.length ? ' …' : ''}`}</dd>
          </Box>
        ))}
      </Box>
    </section>
  )
}
