import { ActionIcon, Tooltip } from '@mantine/core'
import { choosableSubMiningTypes, editionsOf, type Product, products } from '@roomkeeper/contract'
import { isOfferedFor } from '@roomkeeper/rules'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { RegionSelect } from '#regions/index.ts'
import { parseDay } from '#ui/day.ts'
import { DayField } from '#ui/form/DayField.tsx'
import { hintBelow, TextField } from '#ui/form/Fields.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { Section } from '#ui/Page.tsx'
import { Choice } from './Choice.tsx'
import { useRoomForm } from './form-context.ts'
import { afterEditionChange, afterProductChange } from './room-form.ts'

/** The fields for a room's name, product, region and expiry. */
export function RoomSection({ isDuplicate }: { isDuplicate: boolean }) {
  const { t } = useTranslation('form')
  const { values, regions, set, isFixed } = useRoomForm()
  const chooseProduct = (product: Product) => {
    const stillServed = regions.some((each) => String(each.regionId) === values.region && isOfferedFor(product, each))
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

/** The enabled regions that serve the product. */
function RegionField() {
  const { t } = useTranslation('form')
  const { values } = useRoomForm()
  return (
    <RegionSelect
      name="region"
      label={t('field.region')}
      withAsterisk
      none={t('region.none')}
      offers={(region) => isOfferedFor(values.product, region)}
    />
  )
}
