import { Button, CloseButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { useMonthFormat } from '#ui/format.ts'
import { useRoomWords } from '../../room-words.tsx'
import { type FilterName, filterNames, type RoomFilters } from '../search.ts'
import classes from './filters.module.css'

interface FilterChipsProps {
  filters: RoomFilters
  onFilter: (change: RoomFilters) => void
  /** Ends the search, too. */
  onReset: () => void
}

/** The filters in use, each with a button that ends it, and one that ends all of them and the search. */
export function FilterChips({ filters, onFilter, onReset }: FilterChipsProps) {
  const { t } = useTranslation('rooms')
  const textOf = useValueTexts(filters)
  const used = filterNames.filter((name) => filters[name] !== undefined)
  return (
    <div className={classes.line}>
      <ul className={classes.chips} aria-label={t('filters.used')}>
        {used.map((name) => {
          const text = t('filters.chip', { name: t(`filters.names.${name}`), value: textOf(name) })
          return (
            <li key={name} className={classes.chip}>
              <span>{text}</span>
              <CloseButton
                size="xs"
                aria-label={t('filters.remove', { filter: text })}
                onClick={() => onFilter({ [name]: undefined })}
              />
            </li>
          )
        })}
      </ul>
      <Button size="compact-xs" variant="subtle" flex="none" onClick={onReset}>
        {t('filters.clear')}
      </Button>
    </div>
  )
}

/** What a filter in use asks for, in words. */
function useValueTexts(filters: RoomFilters): (name: FilterName) => string {
  const { t } = useTranslation('rooms')
  const words = useRoomWords()
  const monthText = useMonthFormat()
  const { data: regions = [] } = useQuery({ ...regionsQuery, enabled: filters.region !== undefined })
  const inWords = (values: string | undefined, wordOf: (value: string) => string | undefined) =>
    (values?.split(',') ?? []).map((value) => wordOf(value) ?? value).join(', ')
  return (name) => {
    switch (name) {
      case 'product':
        return inWords(filters.product, (value) => words.product[value as 'ARIS'])
      case 'edition':
        return inWords(filters.edition, (value) => words.edition[value as 'basic'])
      case 'channel':
        return inWords(filters.channel, (value) => words.channel[value as 'direct-sales'])
      case 'status':
        return inWords(filters.status, (value) => words.state[value as 'ERROR'])
      case 'cause':
        return inWords(filters.cause, (value) => t(`causes.${value as 'other'}`))
      case 'region':
        return inWords(filters.region, (id) => regions.find(({ regionId }) => String(regionId) === id)?.regionName)
      case 'created':
        return monthText(filters.created ?? '')
      case 'expires':
        return filters.expires === 'past' ? t('filters.past') : t('filters.days', { count: filters.expires ?? 0 })
      case 'backup':
        return filters.backup === 'none'
          ? t('filters.noBackup')
          : t('filters.backupAge', { count: filters.backup ?? 0 })
      case 'backupWithin':
        return t('filters.days', { count: filters.backupWithin ?? 0 })
      case 'company':
        return filters.company ?? ''
      case 'customer':
        return filters.customer ?? ''
      case 'labels':
        return inWords(filters.labels, (label) => label)
      case 'pinned':
        return t('filters.yes')
    }
  }
}
