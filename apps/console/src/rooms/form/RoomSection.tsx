import { ActionIcon, Select, TextInput, Tooltip } from '@mantine/core'
import { choosableSubMiningTypes, editionsOf, type Product, products } from '@roomkeeper/contract'
import { regionsFor } from '@roomkeeper/rules'
import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { DayInput } from '#ui/DayInput.tsx'
import { Section } from '#ui/Section.tsx'
import { useCalendarArrows } from '#ui/use-calendar-arrows.ts'
import { Choice } from './Choice.tsx'
import { useFormParts, useTextField } from './form-context.ts'
import { RegionSelect } from './RegionSelect.tsx'
import { afterEditionChange, afterProductChange } from './room-form.ts'

/** What the room is, where, and for how long. */
export function RoomSection() {
  const { t } = useTranslation('form')
  const { form, regions, set, isFixed } = useFormParts()
  const chooseProduct = (product: Product) => {
    const stillServed = regionsFor(product, regions).some((each) => String(each.regionId) === form.region)
    set({ ...afterProductChange(product), region: stillServed ? form.region : null })
  }
  return (
    <Section title={t('section.room')} hint={t('hint.room')}>
      <NameInput />
      <Choice
        label={t('field.product')}
        isDisabled={isFixed('product')}
        value={form.product}
        options={products.map((each) => ({ value: each, label: each }))}
        onChange={chooseProduct}
      />
      <EditionSelect />
      {form.product === 'ENTERPRISE' && <SubMiningTypeSelect />}
      <RegionSelect />
      <ExpirationInput />
    </Section>
  )
}

function NameInput() {
  const { t } = useTranslation('form')
  return (
    <TextInput
      {...useTextField('tenantName')}
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

function EditionSelect() {
  const { t } = useTranslation('form')
  const { form, set, at } = useFormParts()
  const editions = editionsOf[form.product]
  return (
    <Select
      {...at('edition')}
      label={t('field.edition')}
      withAsterisk
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      data={editions.map((each) => ({ value: each, label: t(`edition.${each}`) }))}
      value={form.edition}
      onChange={(chosen) => {
        const edition = editions.find((each) => each === chosen)
        if (edition !== undefined && edition !== form.edition) set(afterEditionChange(form, edition))
      }}
    />
  )
}

export function SubMiningTypeSelect() {
  const { t } = useTranslation('form')
  const { form, set, at } = useFormParts()
  return (
    <Select
      {...at('subMiningType')}
      label={t('field.subMiningType')}
      withAsterisk
      allowDeselect={false}
      comboboxProps={{ keepMounted: false }}
      placeholder={t('pleaseSelect')}
      data={choosableSubMiningTypes.map((each) => ({ value: each, label: t(`subMiningType.${each}`) }))}
      value={form.subMiningType === 'NONE' ? null : form.subMiningType}
      onChange={(chosen) => {
        const subMiningType = choosableSubMiningTypes.find((each) => each === chosen)
        if (subMiningType !== undefined) set({ subMiningType })
      }}
    />
  )
}

export function ExpirationInput() {
  const { t } = useTranslation('form')
  const { form, set, at, today } = useFormParts()
  return (
    <DayInput
      {...at('expirationDate')}
      label={t('field.expirationDate')}
      placeholder={t('unlimited')}
      value={form.expirationDate}
      onChange={(expirationDate) => set({ expirationDate })}
      earliest={today}
      openLabel={t('calendar.open')}
      calendarLabel={t('calendar.label')}
      arrowLabels={useCalendarArrows()}
    />
  )
}
