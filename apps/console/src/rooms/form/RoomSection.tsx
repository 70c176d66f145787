import { ActionIcon, Tooltip } from '@mantine/core'
import { choosableSubMiningTypes, editionsOf, type Product, products } from '@roomkeeper/contract'
import { regionsFor } from '@roomkeeper/rules'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DayInput } from '#ui/DayInput.tsx'
import { TextField } from '#ui/form/Fields.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { SelectField } from '#ui/form/SelectField.tsx'
import { Section } from '#ui/Page.tsx'
import { Choice } from './Choice.tsx'
import { useRoomForm } from './form-context.ts'
import { RegionField } from './RegionField.tsx'
import { afterEditionChange, afterProductChange } from './room-form.ts'

/** What the room is, where, and for how long. */
export function RoomSection() {
  const { t } = useTranslation('form')
  const { values, regions, set, isFixed } = useRoomForm()
  const chooseProduct = (product: Product) => {
    const stillServed = regionsFor(product, regions).some((each) => String(each.regionId) === values.region)
    set({ ...afterProductChange(product), region: stillServed ? values.region : null })
  }
  return (
    <Section title={t('section.room')} hint={t('hint.room')}>
      <NameField />
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

function NameField() {
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

/** The form holds what was typed, whether it is a day or not. */
export function ExpirationField() {
  const { t } = useTranslation('form')
  const { value, set, input } = useField<string>('expirationDate')
  return (
    <DayInput
      {...input}
      label={t('field.expirationDate')}
      placeholder={t('unlimited')}
      earliest={useRoomForm().today}
      openLabel={t('calendar.open')}
      calendarLabel={t('calendar.label')}
      value={value}
      onChange={set}
    />
  )
}
