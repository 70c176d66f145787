import { useHotkeys } from '@mantine/hooks'
import type { ProjectRoom } from '@roomkeeper/contract'
import { type Reason, whyNotEdit } from '@roomkeeper/rules'
import { IconLock } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { textOf } from '#api/text-of-error.ts'
import { LoadFailure } from '#ui/LoadFailure.tsx'
import { FailureAlert } from '../form/FailureAlert.tsx'
import formClasses from '../form/form.module.css'
import { RoomFormContext } from '../form/form-context.ts'
import { LicenceSection } from '../form/LicenceSection.tsx'
import { CustomerSection, UsersSection } from '../form/PeopleSections.tsx'
import { SubmitBar } from '../form/SubmitBar.tsx'
import { useLeaveRoomForm } from '../form/use-leave-room-form.ts'
import { ChangedMeanwhile } from './ChangedMeanwhile.tsx'
import classes from './EditForm.module.css'
import { ContractSection, StoredRoomSection } from './EditSections.tsx'
import { useEditForm } from './use-edit-form.ts'
import { useSubmitEdit } from './use-submit-edit.ts'

interface EditFormProps {
  room: ProjectRoom
  /** Another tab may be in front. */
  isShown: boolean
}

/** The settings of a room, to be changed by whoever may, and to be read by everybody. */
export function EditForm({ room, isShown }: EditFormProps) {
  const { t } = useTranslation('edit')
  const whyNot = whyNotEdit(room, useOperator().role)
  // While an operation of an active room runs, such as a colleague's edit, one can go on typing.
  const isPassing = whyNot === 'in-progress' && room.projectRoomState === 'DEFAULT'
  const whyFixed = isPassing ? null : whyNot
  const edited = useEditForm(room, whyFixed !== null)
  const { failure, isPending, submit } = useSubmitEdit(room, edited)
  const { form, changes, conflict, licences } = edited
  useHotkeys([['mod+Enter', () => isShown && whyNot === null && submit()]], [])
  useLeaveRoomForm(t('leave'), () => whyFixed === null && changes.length > 0)
  return (
    <RoomFormContext value={form.parts}>
      <form
        ref={form.root}
        className={formClasses.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
      >
        {whyFixed !== null && <FixedNote reason={whyFixed} />}
        {conflict !== null && (
          <ChangedMeanwhile
            conflict={conflict}
            takesFocus={failure !== null}
            onDecided={() => focusIn(form.root.current, '[data-path]:enabled')}
          />
        )}
        {failure !== null && conflict === null && <FailureAlert failure={failure} />}
        <StoredRoomSection room={room} />
        <LicenceSection>
          {licences.error !== null && licences.data === undefined && (
            <LoadFailure
              title={t('licencesFailed')}
              text={textOf(licences.error)}
              onAgain={() => void licences.refetch()}
            />
          )}
        </LicenceSection>
        <UsersSection />
        <CustomerSection />
        <ContractSection />
        <SubmitBar
          label={t('submit')}
          isPending={isPending}
          whyNot={useWhyNotSubmit(whyNot, changes.length === 0, conflict !== null)}
          onShowWrong={submit}
          {...(conflict === null ? {} : { onShowWhyNot: () => focusIn(form.root.current, '[role=alert]') })}
        />
      </form>
    </RoomFormContext>
  )
}

function focusIn(root: HTMLElement | null, selector: string): void {
  root?.querySelector<HTMLElement>(selector)?.focus()
}

function useWhyNotSubmit(whyNot: Reason | null, isUnchanged: boolean, hasConflict: boolean): string | null {
  const { t } = useTranslation(['edit', 'rooms'])
  if (whyNot !== null) return t(`rooms:reasons.${whyNot}`)
  if (hasConflict) return t('whyNot.conflict')
  return isUnchanged ? t('whyNot.unchanged') : null
}

function FixedNote({ reason }: { reason: Reason }) {
  const { t } = useTranslation(['edit', 'rooms'])
  return (
    <p className={classes.fixed} role="note">
      <IconLock size={16} stroke={1.8} aria-hidden />
      <span>
        {t('fixed')} {t(`rooms:reasons.${reason}`)}
      </span>
    </p>
  )
}
