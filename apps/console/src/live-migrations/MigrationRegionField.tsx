import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { useField } from '#ui/form/form-context.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { useNumberFormat } from '#ui/format.ts'

interface MigrationRegionFieldProps {
  name: string
  label: string
  /** Chosen on the other side already. */
  except: string | null
}

/** A region by name and address, and how many rooms it has. */
export function MigrationRegionField({ name, label, except }: MigrationRegionFieldProps) {
  const { t } = useTranslation('migrations')
  const number = useNumberFormat()
  const { data: regions = [], error } = useQuery(regionsQuery)
  const { value } = useField<string | null>(name)
  const chosen = regions.find((each) => String(each.regionId) === value)
  const offered = regions.filter((each) => String(each.regionId) !== except)
  return (
    <SelectField
      name={name}
      label={label}
      withAsterisk
      searchable
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={t('noRegion')}
      data={offered.map((each) => ({
        value: String(each.regionId),
        label: t('regionOption', { name: each.regionName, address: each.regionIP }),
      }))}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={
        chosen === undefined ? undefined : t('numberOfRooms', { n: number.format(chosen.numberOfProjectRooms) })
      }
      {...(error === null ? {} : { error: textOf(error) })}
    />
  )
}
