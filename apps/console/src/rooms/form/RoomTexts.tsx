import { type FormSection, type RoomText, roomFieldCatalogue, roomTextsIn } from '@roomkeeper/contract'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TextAreaField, TextField } from '#ui/form/Fields.tsx'

interface RoomTextsProps {
  section: FormSection
  /** What stands in place of an input. */
  instead?: Partial<Record<RoomText, ReactNode>>
}

/** The inputs of a section's texts, as the catalogue of fields describes them. */
export function RoomTexts({ section, instead = {} }: RoomTextsProps) {
  return roomTextsIn(section).map((name) => (
    <Fragment key={name}>{name in instead ? instead[name] : <RoomTextInput name={name} />}</Fragment>
  ))
}

export function RoomTextInput({ name, ...rest }: { name: RoomText; onLeave?: () => void }) {
  const { t } = useTranslation('rooms')
  const { input, isRequired } = roomFieldCatalogue[name].form
  const props = { name, label: t(`fields.${name}.label`), withAsterisk: isRequired, ...rest }
  switch (input) {
    case 'line':
      return <TextField {...props} autoComplete="off" />
    case 'lines':
      return <TextAreaField {...props} minRows={1} maxRows={6} />
    case 'email':
      return <TextField {...props} inputMode="email" />
  }
}
