import { Anchor, Badge, Loader } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import { regionIsFull, regionsFor } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOf } from '#api/text-of-error.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'

/** The enabled regions that serve the product, each with its capacity. */
export function RegionField() {
  const { t } = useTranslation('form')
  const { values, regions } = useRoomForm()
  const { isPending, error, refetch } = useQuery(regionsQuery)
  const offered = regionsFor(values.product, regions)
  const chosen = offered.find((each) => String(each.regionId) === values.region)
  return (
    <SelectField
      name="region"
      label={t('field.region')}
      withAsterisk
      searchable
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={t(offered.length === 0 ? 'region.none' : 'region.noMatch')}
      disabled={isPending}
      rightSection={isPending ? <Loader size={16} /> : undefined}
      data={offered.map((each) => ({ value: String(each.regionId), label: each.regionName }))}
      renderOption={({ option }) => (
        <RegionOption region={offered.find((each) => String(each.regionId) === option.value)} />
      )}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={chosen === undefined ? undefined : <Capacity region={chosen} />}
      {...(error === null ? {} : { error: <LoadError text={textOf(error)} onAgain={() => void refetch()} /> })}
    />
  )
}

function LoadError({ text, onAgain }: { text: string; onAgain: () => void }) {
  const { t } = useTranslation('form')
  return (
    <>
      {text}{' '}
      <Anchor component="button" type="button" size="xs" onClick={onAgain}>
        {t('tryAgain')}
      </Anchor>
    </>
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
