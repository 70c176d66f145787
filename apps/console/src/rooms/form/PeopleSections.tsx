import { Textarea, TextInput } from '@mantine/core'
import { salesChannels } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { Section } from '#ui/Section.tsx'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useFormParts, useTextField } from './form-context.ts'
import { delegateIsShown, raisedForDelegate } from './room-form.ts'

/** Who uses the room first: its owner and, with licences for two, a delegate. */
export function UsersSection() {
  const { t } = useTranslation('form')
  const { form, draft } = useFormParts()
  return (
    <Section title={t('section.users')} hint={t('hint.users')}>
      <TextInput {...useTextField('customerEmail')} label={t('field.customerEmail')} withAsterisk inputMode="email" />
      {delegateIsShown(form, draft) && <DelegateInput />}
    </Section>
  )
}

function DelegateInput() {
  const { t } = useTranslation('form')
  const { draft, set, delegateTakesLicence } = useFormParts()
  const field = useTextField('additionalEmail')
  const leave = () => {
    field.onBlur()
    set(raisedForDelegate(draft))
  }
  return (
    <div className={classes.appear}>
      <TextInput {...field} onBlur={leave} label={t('field.additionalEmail')} inputMode="email" />
      {delegateTakesLicence && (
        <p className={classes.notice} role="status">
          {t('delegateTakesLicence')}
        </p>
      )}
    </div>
  )
}

export function CustomerSection() {
  const { t } = useTranslation('form')
  return (
    <Section title={t('section.customer')} hint={t('hint.customer')}>
      <TextInput
        {...useTextField('customerFirstName')}
        label={t('field.customerFirstName')}
        withAsterisk
        autoComplete="off"
      />
      <TextInput
        {...useTextField('customerLastName')}
        label={t('field.customerLastName')}
        withAsterisk
        autoComplete="off"
      />
      <TextInput {...useTextField('companyName')} label={t('field.companyName')} withAsterisk autoComplete="off" />
      <Textarea
        {...useTextField('customerContactDetails')}
        label={t('field.customerContactDetails')}
        autosize
        minRows={1}
        maxRows={6}
      />
    </Section>
  )
}

/** The contract, and who sold it. */
export function SalesSection() {
  const { t } = useTranslation('form')
  const { form, set, isFixed } = useFormParts()
  return (
    <Section title={t('section.sales')} hint={t('hint.sales')}>
      <TextInput {...useTextField('sapNumber')} label={t('field.sapNumber')} withAsterisk autoComplete="off" />
      <Choice
        label={t('field.productType')}
        isDisabled={isFixed('productType')}
        value={form.productType}
        options={salesChannels.map((each) => ({ value: each, label: t(`salesChannel.${each}`) }))}
        onChange={(productType) => set({ productType })}
      />
      <TextInput {...useTextField('salesman')} label={t('field.salesman')} autoComplete="off" />
      <TextInput {...useTextField('salesmanEmail')} label={t('field.salesmanEmail')} withAsterisk inputMode="email" />
    </Section>
  )
}
