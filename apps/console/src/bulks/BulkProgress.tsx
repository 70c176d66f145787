import { Progress, Stack, Text } from '@mantine/core'
import type { Bulk, BulkAction, BulkItemState } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { intlTag } from '#locales/number-format.ts'
import { useNumberFormat } from '#ui/format.ts'
import classes from './Bulks.module.css'
import { useRoughTime } from './rough-time.ts'

/** The parts of the bar, in their order: what went well first, so that the failures end it. */
const parts: readonly (readonly [BulkItemState, string])[] = [
  ['DONE', 'var(--rk-good)'],
  ['CANCELLED', 'gray'],
  ['SKIPPED', 'yellow'],
  ['FAILED', 'red'],
]
const counted: readonly BulkItemState[] = [...parts.map(([state]) => state), 'RUNNING', 'WAITING']

/** How many of the rooms have come to an end, however. */
function endedOf({ counts, total }: Bulk): number {
  return total - counts.WAITING - counts.RUNNING
}

/** The action, and with how many rooms it is taken, unless they are still being found. */
export function useBulkTitle(): (action: BulkAction, count: number) => string {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  return (action, count) =>
    count === 0 ? t(`actions.${action}.title`) : t(`actions.${action}.confirm`, { count, n: number.format(count) })
}

/** The action, and one of its rooms by its name, unless they are still being found. */
export function useTitleOfBulk(): (bulk: Bulk) => string {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  return ({ action, total, exampleRoom }) => {
    if (exampleRoom === null) return t(`actions.${action}.title`)
    const count = total - 1
    const name = count === 0 ? exampleRoom : t('andMore', { count, n: number.format(count), name: exampleRoom })
    return action === 'move' ? t('actions.move.named', { name }) : t(`actions.${action}.titleOfOne`, { name })
  }
}

/** The sentence that says how far a bulk is, or how it ended. */
export function useBulkText(): (bulk: Bulk) => string {
  const { t } = useTranslation('bulks')
  const number = useNumberFormat()
  return (bulk) => {
    const [n, total] = [number.format(bulk.counts.DONE), number.format(bulk.total)]
    return bulk.endedAt === null
      ? t(`actions.${bulk.action}.running`, { n, total })
      : t(`actions.${bulk.action}.ended`, { n, total })
  }
}

export function BulkProgress({ bulk }: { bulk: Bulk }) {
  const { t, i18n } = useTranslation('bulks')
  const number = useNumberFormat()
  const text = useBulkText()
  const titleOf = useBulkTitle()
  const percent = (count: number) => (100 * count) / Math.max(1, bulk.total)
  const list = new Intl.ListFormat(intlTag(i18n.language))
  const roughly = useRoughTime()
  return (
    <Stack gap="xs">
      <Text role="status">{text(bulk)}</Text>
      <Progress.Root
        role="progressbar"
        aria-label={titleOf(bulk.action, bulk.total)}
        aria-valuemin={0}
        aria-valuemax={bulk.total}
        aria-valuenow={endedOf(bulk)}
        aria-valuetext={text(bulk)}
      >
        {parts.map(([state, color]) => (
          <Progress.Section
            key={state}
            withAria={false}
            value={percent(bulk.counts[state])}
            color={state === 'DONE' && bulk.endedAt === null ? 'var(--rk-accent)' : color}
          />
        ))}
      </Progress.Root>
      <p className={classes.facts}>
        {counted
          .filter((state) => bulk.counts[state] > 0)
          .map((state) => (
            <span key={state}>{`${t(`states.${state}`)}: ${number.format(bulk.counts[state])}`}</span>
          ))}
        {bulk.endedAt === null && bulk.roomsPerSecond !== null && (
          <span>{t('rate', { n: number.format(Math.round(bulk.roomsPerSecond * 10) / 10) })}</span>
        )}
        {bulk.secondsLeft !== null && !bulk.isCancelling && (
          <span>{t('left', { time: roughly(bulk.secondsLeft) })}</span>
        )}
        {bulk.waitsFor.length > 0 && (
          <span>
            {t(bulk.parameters.whenRegionIsBack === true ? 'waitsUntilBack' : 'waitsFor', {
              count: bulk.waitsFor.length,
              names: list.format(bulk.waitsFor),
            })}
          </span>
        )}
        {bulk.isCancelling && <span>{t('cancelling')}</span>}
      </p>
    </Stack>
  )
}
