import { Checkbox, Popover, ScrollArea, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { editions, failureCauses, products, projectRoomStates, salesChannels } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { cloneElement, type ReactElement, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { labelsQuery } from '#labels/index.ts'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'
import { useTypedText } from '#ui/table/use-typed-text.ts'
import { RegionName, useRoomWords } from '../../room-words.tsx'
import { type FilterName, maxFilterDays, type RoomFilters } from '../search.ts'
import classes from './filters.module.css'

interface FilterPanelProps extends OnDemandMenuProps {
  filters: RoomFilters
  /** Must lead to the first page. */
  onFilter: (change: RoomFilters) => void
}

/** On a phone the panel stands at the lower end of the screen, because the button is too far down for what it holds. */
const sheet = { position: 'fixed', top: 'auto', bottom: 0, left: 0, width: '100%' } as const

/** The filters of the list. Each choice is applied at once. */
export function FilterPanel({ target, opened, onChange, filters, onFilter }: FilterPanelProps) {
  const { t } = useTranslation('rooms')
  const words = useRoomWords()
  const isPhone = useMediaQuery('(max-width: 560px)', false, { getInitialValueInEffect: false })
  const { data: regions = [] } = useQuery(regionsQuery)
  const { data: labelled = [] } = useQuery({ ...labelsQuery, enabled: opened })
  // Texts belong to the panel, which outlasts its fields: what was typed just before it closed is applied.
  const expires = useTypedDays(filters.expires, (days) => onFilter({ expires: days }))
  const backup = useTypedDays(filters.backup, (days) => onFilter({ backup: days }))
  const backupWithin = useTypedDays(filters.backupWithin, (days) => onFilter({ backupWithin: days }))
  const company = useTypedText(filters.company ?? '', (text) => onFilter({ company: text === '' ? undefined : text }))
  const [sought, setSought] = useState('')
  const isSought = (text: string) => text.toLowerCase().includes(sought.trim().toLowerCase())
  const choices = (name: Choices, options: readonly Option[]) => {
    const title = t(`filters.names.${name}`)
    const found = isSought(title) ? options : options.filter(({ label }) => isSought(label))
    if (found.length === 0) return null
    return (
      <ChoiceGroup
        title={title}
        options={found}
        chosen={filters[name]?.split(',') ?? []}
        onChoose={(chosen) => onFilter({ [name]: chosen.length === 0 ? undefined : chosen.join(',') })}
      />
    )
  }
  const opener = target as ReactElement<{ onClick?: () => void }>
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      onClose={() => setSought('')}
      position="bottom-start"
      trapFocus
      returnFocus
      width={520}
      shadow="md"
    >
      <Popover.Target>{cloneElement(opener, { onClick: () => onChange(!opened) })}</Popover.Target>
      <Popover.Dropdown aria-label={t('filters.title')} className={classes.panel} {...(isPhone && { style: sheet })}>
        <TextInput
          size="xs"
          className={classes.search}
          aria-label={t('filters.search')}
          placeholder={t('filters.search')}
          value={sought}
          onChange={({ currentTarget: { value } }) => setSought(value)}
        />
        {choices(
          'status',
          projectRoomStates.map((value) => ({ value, label: words.state[value] })),
        )}
        {choices(
          'cause',
          failureCauses.map((value) => ({ value, label: t(`causes.${value}`) })),
        )}
        {choices(
          'product',
          products.map((value) => ({ value, label: words.product[value] })),
        )}
        {choices(
          'edition',
          editions.map((value) => ({ value, label: words.edition[value] })),
        )}
        {choices(
          'region',
          regions.map(({ regionId: region, regionName }) => ({
            value: String(region),
            label: regionName,
            shown: <RegionName room={{ region, regionName, regionIsMigrationTarget: false }} words={words} />,
          })),
        )}
        {choices(
          'channel',
          salesChannels.map((value) => ({ value, label: words.channel[value] })),
        )}
        {isSought(`${t('filters.expiresWithin')} ${t('filters.expired')}`) && (
          <DaysFilter
            label={t('filters.expiresWithin')}
            days={expires}
            box={{
              label: t('filters.expired'),
              isChecked: filters.expires === 'past',
              onCheck: (isChecked) => onFilter({ expires: isChecked ? 'past' : undefined }),
            }}
          />
        )}
        {isSought(`${t('filters.backupOlder')} ${t('filters.neverBackedUp')}`) && (
          <DaysFilter
            label={t('filters.backupOlder')}
            days={backup}
            box={{
              label: t('filters.neverBackedUp'),
              isChecked: filters.backup === 'none',
              onCheck: (isChecked) => onFilter({ backup: isChecked ? 'none' : undefined }),
            }}
          />
        )}
        {isSought(t('filters.backupWithin')) && <DaysFilter label={t('filters.backupWithin')} days={backupWithin} />}
        {isSought(t('filters.names.company')) && (
          <TextInput
            size="xs"
            label={t('filters.names.company')}
            maxLength={100}
            value={company.typed}
            onChange={({ currentTarget: { value } }) => company.type(value)}
          />
        )}
        {isSought(t('filters.names.pinned')) && (
          <Checkbox
            size="xs"
            label={t('filters.names.pinned')}
            checked={filters.pinned === true}
            onChange={({ currentTarget: { checked } }) => onFilter({ pinned: checked || undefined })}
          />
        )}
        {/* The last ones, because they are loaded only now. */}
        {choices(
          'labels',
          labelled.map(({ label }) => ({ value: label, label })),
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** The filters that take several of known values. */
type Choices = Exclude<
  FilterName,
  'created' | 'expires' | 'backup' | 'backupWithin' | 'company' | 'customer' | 'pinned'
>

interface Option {
  value: string
  label: string
  /** Shown instead of the label. */
  shown?: ReactNode
}

interface ChoiceGroupProps {
  title: string
  options: readonly Option[]
  chosen: string[]
  onChoose: (chosen: string[]) => void
}

/** The title says how many are chosen, because some may be scrolled out of sight. */
function ChoiceGroup({ title, options, chosen, onChoose }: ChoiceGroupProps) {
  const label = chosen.length === 0 ? title : `${title} (${chosen.length})`
  return (
    <Checkbox.Group size="xs" label={label} value={chosen} onChange={onChoose}>
      <ScrollArea.Autosize mah={150} mt="2xs" ml="calc(-1 * var(--rk-space-2xs))">
        {/* The ring of the focus is outside of the box. */}
        {options.map(({ value, label, shown = label }) => (
          <Checkbox key={value} size="xs" value={value} label={shown} p="2xs" />
        ))}
      </ScrollArea.Autosize>
    </Checkbox.Group>
  )
}

type TypedDays = Pick<ReturnType<typeof useTypedText>, 'typed' | 'type'>

/** @param filter the filter in use: a number of days, or what the box below the field stands for */
function useTypedDays(filter: number | string | undefined, onDays: (days: number | undefined) => void): TypedDays {
  const isNumber = typeof filter === 'number'
  return useTypedText(isNumber ? String(filter) : '', (text) => {
    if (text === '' && isNumber) onDays(undefined)
    if (isDays(text)) onDays(Number(text))
  })
}

interface DaysFilterProps {
  label: string
  days: TypedDays
  /** Takes the place of a number of days. */
  box?: { label: string; isChecked: boolean; onCheck: (isChecked: boolean) => void }
}

/** What is no number of days stays typed, marked as wrong, and filters nothing. */
function DaysFilter({ label, days: { typed, type }, box }: DaysFilterProps) {
  const { t } = useTranslation('rooms')
  const isWrong = typed.trim() !== '' && !isDays(typed.trim())
  return (
    <div>
      <TextInput
        size="xs"
        inputMode="numeric"
        label={label}
        value={typed}
        error={isWrong && t('filters.daysWrong', { most: maxFilterDays })}
        onChange={({ currentTarget: { value } }) => type(value)}
      />
      {box !== undefined && (
        <Checkbox
          size="xs"
          mt="xs"
          label={box.label}
          checked={box.isChecked}
          onChange={({ currentTarget }) => box.onCheck(currentTarget.checked)}
        />
      )}
    </div>
  )
}

function isDays(text: string): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) <= maxFilterDays
}
