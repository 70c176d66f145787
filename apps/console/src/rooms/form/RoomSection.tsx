import { ActionIcon, Anchor, Loader, Text, Tooltip } from '@mantine/core'
import { choosableSubMiningTypes, editionsOf, type Product, products, type Region } from '@roomkeeper/contract'
import { regionIsFull, regionsFor, whyDown } from '@roomkeeper/rules'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOf } from '#locales/error-texts.ts'
import { parseDay } from '#ui/day.ts'
import { DayField } from '#ui/form/DayField.tsx'
import { hintBelow, TextField } from '#ui/form/Fields.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { Section } from '#ui/Page.tsx'
import { Pill } from '#ui/Pill.tsx'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { afterEditionChange, afterProductChange } from './room-form.ts'

/** The fields for a room's name, product, region and expiry. */
export function RoomSection({ isDuplicate }: { isDuplicate: boolean }) {
  const { t } = useTranslation('form')
  const { values, regions, set, isFixed } = useRoomForm()
  const chooseProduct = (product: Product) => {
    const stillServed = regionsFor(product, regions).some((each) => String(each.regionId) === values.region)
    set({ ...afterProductChange(product), region: stillServed ? values.region : null })
  }
  return (
    <Section title={t('section.room')} hint={t('hint.room')}>
      {!isDuplicate && <NameField />}
      <Choice
        label={t('field.product')}
        isDisabled={isFixed('product')}
        value={values.product}
        options={products.map((each) => ({ value: each, label: each }))}
        onChange={chooseProduct}
      />
      <EditionField />
      {values.product === 'ENTERPRISE' && <SubMiningTypeField />}
      <RegionField />
      <ExpirationField />
    </Section>
  )
}

export function NameField() {
  const { t } = useTranslation('form')
  return (
    <TextField
      name="tenantName"
      label={t('field.tenantName')}
      withAsterisk
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      rightSection={
        <Tooltip label={t('nameRules')}>
          <ActionIcon aria-label={t('nameRules')}>
            <IconInfoCircle size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      }
    />
  )
}

function EditionField() {
  const { t } = useTranslation('form')
  const { values, set } = useRoomForm()
  const editions = editionsOf[values.product]
  return (
    <SelectField
      name="edition"
      label={t('field.edition')}
      withAsterisk
      data={editions.map((each) => ({ value: each, label: t(`edition.${each}`) }))}
      onChoose={(chosen) => {
        const edition = editions.find((each) => each === chosen)
        if (edition !== undefined && edition !== values.edition) set(afterEditionChange(values, edition))
      }}
    />
  )
}

export function SubMiningTypeField() {
  const { t } = useTranslation('form')
  return (
    <SelectField
      name="subMiningType"
      label={t('field.subMiningType')}
      withAsterisk
      placeholder={t('pleaseSelect')}
      data={choosableSubMiningTypes.map((each) => ({ value: each, label: t(`subMiningType.${each}`) }))}
    />
  )
}

export function ExpirationField() {
  const { t } = useTranslation('form')
  const { value, input } = useField<string>('expirationDate')
  const { today } = useRoomForm()
  const day = parseDay(value)
  const isOver = day !== null && day < today
  return (
    <DayField
      {...hintBelow}
      name="expirationDate"
      description={isOver && input.error === undefined ? t('expired') : undefined}
      label={t('field.expirationDate')}
      placeholder={t('unlimited')}
      earliest={today}
      calendarLabel={t('calendar.label')}
    />
  )
}

/** The enabled regions that serve the product, with their capacity. */
function RegionField() {
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
      // Not disabled, so that an operator who sends the form meanwhile is led to it.
      readOnly={isPending}
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
    <div className="rk-line rk-grow">
      <span className="rk-grow rk-text">{region.regionName}</span>
      {regionIsFull(region) && (
        <Pill tone="warn" icon={IconAlertTriangle} isSmall>
          {t('region.full')}
        </Pill>
      )}
      <span className={classes.capacity}>
        <Capacity region={region} />
      </span>
    </div>
  )
}

/** How full the region is, and whether it can be reached, as far as the console knows. */
function Capacity({ region }: { region: Region }) {
  const { t } = useTranslation('form')
  const { numberOfProjectRooms: count, maxNumOfTenants: most } = region
  const down = whyDown(region)
  return (
    <span className="numbers">
      {most < 0 ? t('region.unlimited', { n: count }) : t('region.limited', { n: count, most })}
      {down !== null && (
        <Text component="strong" inherit c="var(--rk-bad)" fw={500}>
          {` · ${t(`region.${down}`)}`}
        </Text>
      )}
    </span>
  )
}
