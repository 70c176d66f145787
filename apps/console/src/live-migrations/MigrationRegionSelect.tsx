import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/regions.ts'
import { textOf } from '#api/text-of-error.ts'
import { useNumberFormat } from '#ui/use-number-format.ts'

interface MigrationRegionSelectProps {
  label: string
  value: number | null
  /** Chosen on the other side already. */
  except: number | null
  onChange: (region: number | null) => void
}

/** A region by name and address, and how many rooms it has. */
export function MigrationRegionSelect({ label, value, except, onChange }: MigrationRegionSelectProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const { data: regions = [], error } = useQuery(regionsQuery)
  const chosen = regions.find((each) => each.regionId === value)
  const offered = regions.filter((each) => each.regionId !== except)
  return (
    <Select
      label={label}
      withAsterisk
      searchable
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={t('noRegion')}
      data={offered.map((each) => ({
        value: String(each.regionId),
        label: t('regionOption', { name: each.regionName, address: each.regionIP }),
      }))}
      value={chosen === undefined ? null : String(chosen.regionId)}
      onChange={(region) => onChange(region === null ? null : Number(region))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        chosen === undefined ? undefined : t('numberOfRooms', { n: number.format(chosen.numberOfProjectRooms) })
      }
      error={error === null ? undefined : textOf(error)}
    />
  )
}
