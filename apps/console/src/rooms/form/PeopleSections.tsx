import { salesChannels } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { TextField } from '#ui/form/Fields.tsx'
import { Section } from '#ui/Page.tsx'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { RoomTextInput, RoomTexts } from './RoomTexts.tsx'
import { delegateIsShown, raisedForDelegate } from './room-form.ts'

/** Who uses the room first: its owner and, with licences for two, a delegate. */
export function UsersSection() {
  const { t } = useTranslation('form')
  const { values, draft } = useRoomForm()
  return (
    <Section title={t('section.users')} hint={t('hint.users')}>
      <RoomTexts section="users" instead={{ additionalEmail: delegateIsShown(values, draft) && <DelegateInput /> }} />
    </Section>
  )
}

function DelegateInput() {
  const { t } = useTranslation('form')
  const { draft, set, delegateTakesLicence } = useRoomForm()
  return (
    <div className={classes.appear}>
      <RoomTextInput name="additionalEmail" onLeave={() => set(raisedForDelegate(draft))} />
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
      <RoomTexts section="customer" />
    </Section>
  )
}

/** The contract, and who sold it. */
export function SalesSection() {
  const { t } = useTranslation('form')
  const { values, set, isFixed } = useRoomForm()
  return (
    <Section title={t('section.sales')} hint={t('hint.sales')}>
      <TextField name="sapNumber" label={t('field.sapNumber')} withAsterisk autoComplete="off" />
      <Choice
        label={t('field.productType')}
        isDisabled={isFixed('productType')}
        value={values.productType}
        options={salesChannels.map((each) => ({ value: each, label: t(`salesChannel.${each}`) }))}
        onChange={(productType) => set({ productType })}
      />
      <RoomTexts section="sales" />
    </Section>
  )
}
