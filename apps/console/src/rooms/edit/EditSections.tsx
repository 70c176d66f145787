import type { ProjectRoom } from '@roomkeeper/contract'
import { useTranslation } from 'react-i18next'
import { TextField } from '#ui/form/TextField.tsx'
import { formatMoment } from '#ui/format.ts'
import { Section } from '#ui/Page.tsx'
import { ReadOnlyInput } from '#ui/ReadOnlyInput.tsx'
import { useRoomForm } from '../form/form-context.ts'
import { ExpirationField, SubMiningTypeField } from '../form/RoomSection.tsx'
import { RoomTexts } from '../form/RoomTexts.tsx'
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
      {room.product === 'ENTERPRISE' && <SubMiningTypeField />}
      <ExpirationField />
      <ReadOnlyInput label={t('rooms:room.creationDate')} value={formatMoment(room.creationDate)} />
    </Section>
  )
}

/** The contract, and who sold it. */
export function ContractSection() {
  const { t } = useTranslation('form')
  const labels = useRoomLabels()
  const { values } = useRoomForm()
  return (
    <Section title={t('section.sales')}>
      <ReadOnlyInput label={t('field.sapNumber')} value={values.sapNumber} />
      <TextField name="sapNumberLast" label={t('field.sapNumberLast')} withAsterisk autoComplete="off" />
      <ReadOnlyInput
        label={t('field.productType')}
        value={labels.channel[values.productType] ?? labels.unknownChannel}
      />
      <RoomTexts section="sales" />
    </Section>
  )
}
