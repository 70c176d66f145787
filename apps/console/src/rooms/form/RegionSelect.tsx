import { Anchor, Badge, Loader, Select } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import { regionIsFull, regionsFor } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/regions.ts'
import { textOf } from '#api/text-of-error.ts'
import classes from './form.module.css'
import { useFormParts } from './form-context.ts'

/** The enabled regions that serve the product, each with its capacity. */
export function RegionSelect() {
  const { t } = useTranslation('form')
  const { form, set, at, regions } = useFormParts()
  const { isPending, error, refetch } = useQuery(regionsQuery)
  const offered = regionsFor(form.product, regions)
  const chosen = offered.find((each) => String(each.regionId) === form.region)
  const field = at('region')
  return (
    <Select
      {...field}
      label={t('field.region')}
      withAsterisk
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      searchable
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={t(offered.length === 0 ? 'region.none' : 'region.noMatch')}
      disabled={isPending || field.disabled}
      rightSection={isPending ? <Loader size={16} /> : undefined}
      data={offered.map((each) => ({ value: String(each.regionId), label: each.regionName }))}
      renderOption={({ option }) => (
        <RegionOption region={offered.find((each) => String(each.regionId) === option.value)} />
      )}
      value={chosen === undefined ? null : form.region}
      onChange={(region) => set({ region })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={chosen === undefined ? undefined : <Capacity region={chosen} />}
      error={
        error === null ? (
          field.error
        ) : (
          <>
            {textOf(error)}{' '}
            <Anchor component="button" type="button" size="xs" onClick={() => void refetch()}>
              {t('tryAgain')}
            </Anchor>
          </>
        )
      }
    />
  )
}

function RegionOption({ region }: { region: Region | undefined }) {
  const { t } = useTranslation('form')
  if (region === undefined) return null
  return (
    <div className={classes.regionOption}>
      <span className={classes.regionName}>{region.regionName}</span>
      {regionIsFull(region) && (
        <Badge size="sm" className={classes.fullBadge ?? ''}>
          {t('region.full')}
        </Badge>
      )}
      <span className={classes.capacity}>
        <Capacity region={region} />
      </span>
    </div>
  )
}

function Capacity({ region }: { region: Region }) {
  const { t } = useTranslation('form')
  const { numberOfProjectRooms: count, maxNumOfTenants: most } = region
  return (
    <span className="numbers">
      {most < 0 ? t('region.unlimited', { n: count }) : t('region.limited', { n: count, most })}
    </span>
  )
}
