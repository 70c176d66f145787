import { Anchor, Text, TextInput } from '@mantine/core'
import type { ProjectRoom } from '@roomkeeper/contract'
import { type Reason, whyNotEdit } from '@roomkeeper/rules'
import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#locales/error-texts.ts'
import { PinnedNotes } from '#notes/index.ts'
import { TextField } from '#ui/form/Fields.tsx'
import { FormPage } from '#ui/form/Form.tsx'
import { FormConflict } from '#ui/form/FormConflict.tsx'
import type { Conflict } from '#ui/form/use-stored-form.ts'
import { formatMoment } from '#ui/format.ts'
import { Section } from '#ui/Page.tsx'
import { LoadFailure } from '#ui/ProblemAlert.tsx'
import { SlowAnswer, SlowQuery } from '#ui/SlowAnswer.tsx'
import formClasses from '../form/form.module.css'
import { RoomFormContext, useLeaveTexts, useRoomForm } from '../form/form-context.ts'
import { LicenceSection } from '../form/LicenceSection.tsx'
import { CustomerSection, RoomTexts, UsersSection } from '../form/PeopleSections.tsx'
import { RoomFormFailure } from '../form/RoomFormFailure.tsx'
import { ExpirationField, SubMiningTypeField } from '../form/RoomSection.tsx'
import type { RoomForm } from '../form/room-form.ts'
import { SubmitBar } from '../form/SubmitBar.tsx'
import { useFieldLabels } from '../form/use-field-labels.ts'
import { useFieldTexts } from '../form/use-field-texts.ts'
import { roomLicencesQuery } from '../queries.ts'
import { useRoomWords } from '../room-words.tsx'
import { editSettings } from './edit-form.ts'
import { SavedNote } from './SavedNote.tsx'
import { useEditForm } from './use-edit-form.ts'

interface EditFormProps {
  room: ProjectRoom
  /** False while another tab is open. */
  isShown: boolean
}

/** The settings of a room: every operator can read them, and those with the right can edit them. */
export function EditForm({ room, isShown }: EditFormProps) {
  const { t } = useTranslation(['edit', 'app'])
  const whyNot = whyNotEdit(room, useOperator().role)
  // During an operation of an active room, such as another operator's edit, the form stays editable.
  const isTemporary = whyNot === 'in-progress' && room.projectRoomState === 'DEFAULT'
  const whyFixed = isTemporary ? null : whyNot
  const { form, parts, conflict, licences, ...edited } = useEditForm({ room, whyFixed, whyNot })
  return (
    <RoomFormContext value={parts}>
      <FormPage form={form} leave={useLeaveTexts(t('leave'))} isShown={isShown} className={formClasses.form}>
        {whyFixed === null && <PinnedNotes notes={room.pinnedNotes} />}
        {whyFixed !== null && <FixedNote reason={whyFixed} />}
        {conflict === null ? <RoomFormFailure title={t('failed')} /> : <ChangedMeanwhile conflict={conflict} />}
        <StoredRoomSection room={room} />
        <LicenceSection>
          {edited.asksRegion && (
            <SlowQuery
              query={licences}
              queryKey={roomLicencesQuery(room.tenantName).queryKey}
              region={room.regionName}
            />
          )}
          {licences.error !== null && licences.data === undefined && (
            <LoadFailure
              title={t('licencesFailed')}
              text={textOf(licences.error)}
              onAgain={() => void licences.refetch()}
            />
          )}
        </LicenceSection>
        <UsersSection />
        <CustomerSection>
          <CustomerLink key="link" company={room.companyName} />
        </CustomerSection>
        <ContractSection />
        <SlowAnswer isWaiting={form.isPending} text={t('app:slow.region', { region: room.regionName })} />
        <SubmitBar
          label={t('submit')}
          whyNot={edited.whyNot}
          {...(conflict === null
            ? {}
            : { onShowWhyNot: () => form.root.current?.querySelector<HTMLElement>('[role=alert]')?.focus() })}
        >
          {edited.whyNot === null && edited.changes}
          {edited.changes === null && edited.savedAt !== null && (
            <SavedNote key={edited.savedAt.getTime()} room={room.tenantName} savedAt={edited.savedAt} />
          )}
        </SubmitBar>
      </FormPage>
    </RoomFormContext>
  )
}

/** To all project rooms of the company. */
function CustomerLink({ company }: { company: string }) {
  const { t } = useTranslation('edit')
  return (
    <Link to="/project/customers/$key" params={{ key: company }}>
      {t('customer', { company })}
    </Link>
  )
}

/** These stay as long as the operator and the room are what they are. */
const lasting: readonly Reason[] = ['role', 'online-shop']

function FixedNote({ reason }: { reason: Reason }) {
  const { t } = useTranslation(['edit', 'rooms'])
  return (
    <Text className="rk-line rk-quiet" px="md" py="xs" bdrs="md" role="note">
      <IconLock size={16} stroke={1.8} aria-hidden />
      <span>
        {t(lasting.includes(reason) ? 'fixed' : 'fixedNow')} {t(`rooms:reasons.${reason}`)}
      </span>
    </Text>
  )
}

/** Product, edition and other values that cannot be changed, and the expiration date. */
function StoredRoomSection({ room }: { room: ProjectRoom }) {
  const { t } = useTranslation(['form', 'rooms'])
  const words = useRoomWords()
  return (
    <Section title={t('section.room')}>
      <ReadOnlyInput label={t('field.tenantName')} value={room.tenantName} />
      <ReadOnlyInput label={t('field.product')} value={words.product[room.product]} />
      <ReadOnlyInput label={t('rooms:room.editionType')} value={words.edition[room.edition]} />
      <ReadOnlyInput label={t('field.region')} value={words.region(room)} />
      {room.product === 'ENTERPRISE' && <SubMiningTypeField />}
      <ExpirationField />
      <ReadOnlyInput label={t('rooms:room.creationDate')} value={formatMoment(room.creationDate)} />
    </Section>
  )
}

/** The contract, and who sold it. */
function ContractSection() {
  const { t } = useTranslation('form')
  const words = useRoomWords()
  const { values, set, isFixed } = useRoomForm()
  return (
    <Section title={t('section.sales')}>
      <ReadOnlyInput label={t('field.sapNumber')} value={values.sapNumber} />
      <div>
        <TextField name="sapNumberLast" label={t('field.sapNumberLast')} withAsterisk autoComplete="off" />
        {values.sapNumberLast === '' && !isFixed('sapNumberLast') && (
          <Anchor component="button" type="button" size="xs" onClick={() => set({ sapNumberLast: values.sapNumber })}>
            {t('sameSapNumber')}
          </Anchor>
        )}
      </div>
      <ReadOnlyInput label={t('field.productType')} value={words.channel[values.productType] ?? words.unknownChannel} />
      <RoomTexts section="sales" />
    </Section>
  )
}

/** A field that can be read and copied, but not changed. */
function ReadOnlyInput({ label, value }: { label: string; value: string }) {
  return <TextInput label={label} value={value === '' ? '–' : value} readOnly variant="unstyled" />
}

/** The fields that were changed meanwhile. */
function ChangedMeanwhile({ conflict }: { conflict: Conflict<RoomForm, string> }) {
  const labelsOf = useFieldLabels()
  const fieldText = useFieldTexts()
  return (
    <FormConflict
      conflict={conflict}
      labelOf={(path) => labelsOf([path])[0] ?? path}
      textOf={(path, form) => fieldText(path, editSettings.of(form)[path])}
    />
  )
}
