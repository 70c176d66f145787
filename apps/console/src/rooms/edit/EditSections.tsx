import { TextInput } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format-moment.ts'
import { ReadOnlyInput } from '#ui/ReadOnlyInput.tsx'
import { Section } from '#ui/Section.tsx'
import { useFormParts, useTextField } from '../form/form-context.ts'
import { ExpirationInput, SubMiningTypeSelect } from '../form/RoomSection.tsx'
import { useRoomLabels } from '../room-labels.ts'

/** What the room is, which nobody can change, and for how long. */
export function StoredRoomSection({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['form', 'rooms'])
  const labels = useRoomLabels()
  return (
    <Section title={t('section.room')}>
      <ReadOnlyInput label={t('field.tenantName')} value={room.tenantName} />
      <ReadOnlyInput label={t('field.product')} value={labels.product[room.product]} />
      <ReadOnlyInput label={t('rooms:room.editionType')} value={labels.edition[room.edition]} />
      <ReadOnlyInput
        label={t('field.region')}
        value={room.regionIsMigrationTarget ? `${room.regionName} (Target)` : room.regionName}
      />
      {room.product === 'ENTERPRISE' && <SubMiningTypeSelect />}
      <ExpirationInput />
      <ReadOnlyInput label={t('rooms:room.creationDate')} value={formatMoment(room.creationDate)} />
    </Section>
  )
}

/** The contract, and who sold it. */
export function ContractSection() {
  const { t } = useTranslation('form')
  const labels = useRoomLabels()
  const { form } = useFormParts()
  return (
    <Section title={t('section.sales')}>
      <ReadOnlyInput label={t('field.sapNumber')} value={form.sapNumber} />
      <TextInput {...useTextField('sapNumberLast')} label={t('field.sapNumberLast')} withAsterisk autoComplete="off" />
      <ReadOnlyInput label={t('field.productType')} value={labels.channel[form.productType] ?? labels.unknownChannel} />
      <TextInput {...useTextField('salesman')} label={t('field.salesman')} autoComplete="off" />
      <TextInput {...useTextField('salesmanEmail')} label={t('field.salesmanEmail')} withAsterisk inputMode="email" />
    </Section>
  )
}
