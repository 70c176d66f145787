import { useHotkeys } from '@mantine/hooks'
import type { RoomDraft } from '@roomkeeper/contract'
import { delegateTakesLicence, missingLicenceWarning, regionIsFull, withDelegate } from '@roomkeeper/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/regions.ts'
import { textOf } from '#api/text-of-error.ts'
import { toastError, toastWarning } from '#ui/toast.ts'
import { type Failure, FailureAlert } from './FailureAlert.tsx'
import classes from './form.module.css'
import { RoomFormContext } from './form-context.ts'
import { LicenceSection } from './LicenceSection.tsx'
import { CustomerSection, SalesSection, UsersSection } from './PeopleSections.tsx'
import { RoomSection } from './RoomSection.tsx'
import { refusedFields, serversWords } from './refusals.ts'
import type { RoomForm } from './room-form.ts'
import { errorsOfNewRoom } from './room-form-errors.ts'
import { SubmitBar } from './SubmitBar.tsx'
import { useLeaveRoomForm } from './use-leave-room-form.ts'
import { useMessages } from './use-messages.ts'
import { useRoomForm } from './use-room-form.ts'

interface NewRoomFormProps {
  initial: RoomForm
  /** What is given and can only be read. */
  fixed?: readonly (keyof RoomForm)[]
  words: {
    submit: string
    /** When the server has no words of its own. */
    failed: string
    /** Behind the reason of such a failure. */
    afterFailure: string
    /** The title of the question before the form is left. */
    leave: string
  }
  /** Starts the creation; the same draft sent again must not make a second room. */
  send: (draft: RoomDraft) => Promise<unknown>
  onAccepted: (draft: RoomDraft) => void
  /** Leaving loses something even when nothing was typed. */
  alwaysAsksToLeave?: boolean
}

const places = {
  'name-taken': 'tenantName',
  'sap-number-taken': 'sapNumber',
  'region-full': 'region',
  'region-disabled': 'region',
  'product-not-served': 'region',
  'region-unknown': 'region',
} as const

/** The form that makes a room, whether empty or from a backup. */
export function NewRoomForm(props: NewRoomFormProps) {
  const { initial, fixed = [], words, alwaysAsksToLeave = false } = props
  const regions = useQuery(regionsQuery).data ?? []
  const regionOf = (id: string | null) => regions.find((each) => String(each.regionId) === id)
  const form = useRoomForm({
    initial,
    regions,
    errorsOf: (values, today) => errorsOfNewRoom(values, regionOf(values.region), today),
    isFixed: (path) => (fixed as readonly string[]).includes(path),
    used: null,
    delegateTakesLicence,
  })
  const { failure, isPending, submit, wasAccepted } = useSubmit(form, props)
  useHotkeys([['mod+Enter', submit]], [])
  useLeaveRoomForm(words.leave, () => (alwaysAsksToLeave || form.hasChanges) && !wasAccepted())
  return (
    <RoomFormContext value={form.parts}>
      <form
        ref={form.root}
        className={classes.form}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          submit()
        }}
      >
        {failure !== null && <FailureAlert failure={failure} />}
        <RoomSection />
        <LicenceSection />
        <UsersSection />
        <CustomerSection />
        <SalesSection />
        <SubmitBar label={words.submit} isPending={isPending} onShowWrong={submit} />
      </form>
    </RoomFormContext>
  )
}

function useSubmit(form: ReturnType<typeof useRoomForm>, { words, send, onAccepted }: NewRoomFormProps) {
  const { t } = useTranslation('form')
  const queries = useQueryClient()
  const translated = useMessages()
  const [failure, setFailure] = useState<Failure | null>(null)
  const accepted = useRef(false)
  const { draft, errors, regions } = form.parts
  const create = useMutation({
    mutationFn: send,
    // A creation takes a place on its region, and a refused one may have found it full.
    onSettled: () => queries.invalidateQueries({ queryKey: ['regions'] }),
  })

  const fail = (error: unknown) => {
    const refused = refusedFields(error, places)
    const others = form.showRefusals(refused)
    const said = serversWords(error)
    const isShown = refused.length > 0 && others.length === 0
    if (said === null) setFailure({ title: words.failed, text: `${textOf(error)} ${words.afterFailure}`, others })
    else setFailure(isShown ? null : { title: said, text: null, others })
  }
  const submit = () => {
    if (create.isPending || accepted.current) return
    form.showAllErrors()
    setFailure(null)
    const warning = missingLicenceWarning(draft)
    if (warning !== null) toastWarning(t('warning'), translated(warning))
    const region = regions.find((each) => each.regionId === draft.region)
    if (region !== undefined && regionIsFull(region)) {
      toastError(t('region.fullTitle'), t('region.exceeded', { region: region.regionName }))
    }
    if (Object.keys(errors).length > 0) return form.focusFirstWrong()
    create.mutate(withDelegate(draft), {
      onSuccess: () => {
        accepted.current = true
        onAccepted(draft)
      },
      onError: fail,
    })
  }
  return { failure, isPending: create.isPending, submit, wasAccepted: () => accepted.current }
}
