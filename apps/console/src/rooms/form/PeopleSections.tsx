import {
  emailPattern,
  type FormSection,
  type RoomText,
  roomFieldCatalogue,
  roomTextsIn,
  salesChannels,
} from '@roomkeeper/contract'
import { mailboxOf } from '@roomkeeper/rules'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextAreaField, TextField } from '#ui/form/Fields.tsx'
import { useField } from '#ui/form/resource-form.ts'
import { Section } from '#ui/Page.tsx'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { delegateIsShown, raisedForDelegate } from './room-form.ts'

/** The first users of the room: the owner and, if the licences allow one, a delegate. */
export function UsersSection() {
  const { t } = useTranslation('form')
  const { values, draft } = useRoomForm()
  return (
    <Section title={t('section.users')} hint={t(values.product === 'ENTERPRISE' ? 'hint.owner' : 'hint.users')}>
      <RoomTexts section="users" instead={{ additionalEmail: delegateIsShown(values, draft) && <DelegateInput /> }} />
    </Section>
  )
}

function DelegateInput() {
  const { t } = useTranslation('form')
  const { values, draft, set, delegateTakesLicence } = useRoomForm()
  return (
    <div className={classes.appear}>
      <RoomTextInput name="additionalEmail" onBlur={() => set(raisedForDelegate(draft))} />
      {(delegateTakesLicence || values.product === 'ENTERPRISE') && (
        <p className={classes.notice} role="status">
          {t(delegateTakesLicence ? 'delegateTakesLicence' : 'noDelegate')}
        </p>
      )}
    </div>
  )
}

/** @param props.children stands after the hint */
export function CustomerSection({ children }: { children?: ReactNode }) {
  const { t } = useTranslation('form')
  const hint = t('hint.customer')
  return (
    <Section title={t('section.customer')} hint={children === undefined ? hint : [hint, ' ', children]}>
      <RoomTexts section="customer" />
    </Section>
  )
}

/** The contract, and who sold it. */
export function SalesSection({ isDuplicate }: { isDuplicate: boolean }) {
  const { t } = useTranslation('form')
  const { values, set, isFixed } = useRoomForm()
  return (
    <Section title={t('section.sales')} hint={t('hint.sales')}>
      {!isDuplicate && <SapNumberField />}
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

export function SapNumberField() {
  const { t } = useTranslation('form')
  return <TextField name="sapNumber" label={t('field.sapNumber')} withAsterisk autoComplete="off" />
}

interface RoomTextsProps {
  section: FormSection
  /** Shown in place of the input of a text. */
  instead?: Partial<Record<RoomText, ReactNode>>
}

/** The inputs for the text fields of a section, as described by the catalogue. */
export function RoomTexts({ section, instead = {} }: RoomTextsProps) {
  return roomTextsIn(section).map((name) => (
    <Fragment key={name}>{name in instead ? instead[name] : <RoomTextInput name={name} />}</Fragment>
  ))
}

function RoomTextInput({ name, onBlur }: { name: RoomText; onBlur?: () => void }) {
  const { t } = useTranslation('rooms')
  const { input, isRequired } = roomFieldCatalogue[name].form
  const props = { name, label: t(`fields.${name}.label`), withAsterisk: isRequired }
  switch (input) {
    case 'line':
      return <TextField {...props} autoComplete="off" />
    case 'lines':
      return <TextAreaField {...props} minRows={1} maxRows={6} />
    case 'email':
      return <EmailInput {...props} onBlur={onBlur} />
  }
}

/** The specification takes anything with an @ in it. An address that no e-mail reaches is taken, with a warning. */
function EmailInput(props: { name: RoomText; label: string; withAsterisk: boolean; onBlur?: () => void }) {
  const { t } = useTranslation('form')
  const { value, input } = useField<string>(props.name)
  const typed = value.trim()
  return (
    <div>
      <TextField {...props} inputMode="email" />
      {!input.error && emailPattern.test(typed) && mailboxOf(typed) === null && (
        <p className={classes.notice} role="status">
          {t('noMailbox')}
        </p>
      )}
    </div>
  )
}
