/** What a policy says, in the operator's language. */
import type { BackupPolicyDraft, BackupPolicyRooms, BackupRetention, BackupSchedule } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { useRegionName } from '#api/queries.ts'
import { intlTag } from '#locales/number-format.ts'
import { useNumberFormat } from '#ui/format.ts'
import { hasOtherFilters } from './backup-policy-form.ts'

interface PolicyWords {
  rooms: (rooms: BackupPolicyRooms) => string
  schedule: (schedule: BackupSchedule) => string
  keep: (keep: BackupRetention) => string
  regions: (ids: readonly number[]) => string
  editions: (editions: BackupPolicyDraft['rooms']['editions']) => string
}

export function usePolicyWords(): PolicyWords {
  const { t, i18n } = useTranslation(['backup-policies', 'rooms'])
  const number = useNumberFormat()
  const regionName = useRegionName()
  const regions = (ids: readonly number[]) => ids.map((id) => regionName(id) || String(id)).join(', ')
  const editions: PolicyWords['editions'] = (all) => all.map((each) => t(`rooms:editions.${each}`)).join(', ')
  return {
    regions,
    editions,
    rooms: ({ query, ...rooms }) => {
      const search = query?.search ?? ''
      const parts = [regions(rooms.regions), rooms.products.join(', '), editions(rooms.editions)]
      if (search !== '') parts.push(t('words.search', { search }))
      if (hasOtherFilters(query)) parts.push(t('words.filters'))
      const said = parts.filter((each) => each !== '')
      return said.length === 0 ? t('words.all') : said.join(' · ')
    },
    schedule: (schedule) => {
      if (schedule.every === 'hours') return t('words.hours', { count: schedule.hours })
      const { at, windowHours: count } = schedule
      if (schedule.every === 'day') return t('words.day', { at, count })
      return t('words.week', { weekday: weekdayName(i18n.language, schedule.weekday), at, count })
    },
    keep: (keep) =>
      (['daily', 'weekly', 'monthly'] as const)
        .filter((each) => keep[each] > 0)
        .map((each) =>
          t(`words.${each}`, { count: keep[each], n: number.format(keep[each]) }).replaceAll(' ', '\u00a0'),
        )
        .join(', '),
  }
}

/** @param weekday 1 is Monday */
export function weekdayName(language: string, weekday: number): string {
  // 5 January 1970 was a Monday.
  const at = Date.UTC(1970, 0, 4 + weekday)
  return new Intl.DateTimeFormat(intlTag(language), { weekday: 'long', timeZone: 'UTC' }).format(at)
}
