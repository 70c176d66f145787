import { Anchor, Loader } from '@mantine/core'
import type { Region } from '@roomkeeper/contract'
import { regionIsFull, whyDown } from '@roomkeeper/rules'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import { RegionHealth } from '#ui/RegionHealth.tsx'
import classes from './Regions.module.css'

interface RegionSelectProps extends ComponentProps<typeof SelectField> {
  /** Which regions can be chosen. */
  offers: (region: Region) => boolean
  /** What is said if none can be chosen. */
  none?: string
  /** What can be chosen instead of a region. */
  first?: { value: string; label: string }
  labelOf?: (region: Region) => string
  /** Said of the chosen region instead of how full it is. */
  describe?: (region: Region) => string
}

/**
 * The field for a region, which is its id as a text: each with how full it is and whether it answers. Full regions and
 * those that are down come last.
 */
export function RegionSelect({ offers, none, first, labelOf, describe, ...rest }: RegionSelectProps) {
  const { t } = useTranslation('capacity')
  const { data = [], isPending, error, refetch } = useQuery(regionsQuery)
  const { value } = useField<string | null>(rest.name)
  const offered = data.filter(offers).sort((one, other) => rankOf(one) - rankOf(other))
  const { options, renderOption } = useRegionOptions(offered, labelOf)
  const chosen = offered.find(({ regionId }) => String(regionId) === value)
  return (
    <SelectField
      searchable
      placeholder={t('pleaseSelect')}
      nothingFoundMessage={offered.length === 0 ? (none ?? t('none')) : t('noMatch')}
      // Not disabled, so that an operator who sends the form meanwhile is led to it.
      readOnly={isPending}
      rightSection={isPending ? <Loader size={16} /> : undefined}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      {...rest}
      data={first === undefined ? options : [first, ...options]}
      renderOption={renderOption}
      description={chosen === undefined ? rest.description : <Capacity region={chosen}>{describe?.(chosen)}</Capacity>}
      error={error === null ? undefined : <LoadError text={textOf(error)} onAgain={() => void refetch()} />}
    />
  )
}

function rankOf(region: Region): number {
  if (whyDown(region) !== null) return 2
  return regionIsFull(region) ? 1 : 0
}

/** The options of a select of regions, each with how full it is and whether it answers. */
export function useRegionOptions(regions: readonly Region[], labelOf = ({ regionName }: Region) => regionName) {
  const options = regions.map((each) => ({ value: String(each.regionId), label: labelOf(each) }))
  const renderOption = ({ option: { value, label }, checked = false }: RenderedOption) => {
    const region = regions.find(({ regionId }) => String(regionId) === value)
    return region === undefined ? label : <Option region={region} label={label} isChosen={checked} />
  }
  return { options, renderOption }
}

interface RenderedOption {
  option: { value: string; label: string }
  checked?: boolean | undefined
}

function Option({ region, label, isChosen }: { region: Region; label: string; isChosen: boolean }) {
  const { t } = useTranslation('capacity')
  return (
    <div className="rk-row rk-grow">
      <span className={classes.name}>{label}</span>
      {regionIsFull(region) && (
        <Pill tone="warn" icon={IconAlertTriangle} isSmall>
          {t('full')}
        </Pill>
      )}
      <span className={classes.capacity}>
        <Capacity region={region} />
      </span>
      {isChosen && <IconCheck size={14} aria-hidden />}
    </div>
  )
}

/** How full the region is, or what is said instead, and whether it can be reached, as far as the console knows. */
function Capacity({ region, children }: { region: Region; children?: ReactNode }) {
  const { t } = useTranslation('capacity')
  const number = useNumberFormat()
  const { numberOfProjectRooms, maxNumOfTenants: limit } = region
  const rooms = number.format(numberOfProjectRooms)
  return (
    <span className={`numbers ${classes.facts}`}>
      {children ?? (limit < 0 ? t('unlimited', { rooms }) : t('limited', { rooms, limit: number.format(limit) }))}
      {whyDown(region) !== null && <RegionHealth region={region} />}
    </span>
  )
}

function LoadError({ text, onAgain }: { text: string; onAgain: () => void }) {
  const { t } = useTranslation('app')
  return (
    <>
      {text}{' '}
      <Anchor component="button" type="button" size="xs" onClick={onAgain}>
        {t('tryAgain')}
      </Anchor>
    </>
  )
}
