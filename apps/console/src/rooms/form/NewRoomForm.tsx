import type { Region, RoomDraft } from '@roomkeeper/contract'
import { delegateTakesLicence, missingLicenceWarning, regionIsFull, withDelegate } from '@roomkeeper/rules'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { regionsQuery } from '#api/queries.ts'
import { textOfWarning } from '#locales/error-texts.ts'
import type { AcceptedAnswer } from '#operations/index.ts'
import { confirm } from '#ui/dialog/confirm.tsx'
import { FormPage } from '#ui/form/Form.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { Section } from '#ui/Page.tsx'
import { toastError, toastWarning } from '#ui/toast.ts'
import classes from './form.module.css'
import { RoomFormContext, today, useLeaveTexts, useRoomFormValue } from './form-context.ts'
import { LicenceSection } from './LicenceSection.tsx'
import { CustomerSection, SalesSection, SapNumberField, UsersSection } from './PeopleSections.tsx'
import { RoomFormFailure } from './RoomFormFailure.tsx'
import { NameField, RoomSection } from './RoomSection.tsx'
import { draftOf, type RoomForm } from './room-form.ts'
import { errorsOfNewRoom, pathOf, showsAtOnce } from './room-form-errors.ts'
import { SubmitBar } from './SubmitBar.tsx'

interface NewRoomFormProps {
  initial: RoomForm
  /** The name of the room from which all but name and SAP number is taken. */
  original?: string | undefined
  /** Fields whose values are given and read-only. */
  fixed?: readonly (keyof RoomForm)[]
  texts: {
    submit: string
    /** The title of a failure without a text of the server. */
    failed: string
    /** Shown after the reason of such a failure. */
    afterFailure: string
    /** The title of the question before the form is left. */
    leave: string
  }
  /** Starts the creation; sending the same draft again must not create a second room. */
  send: (draft: RoomDraft) => Promise<AcceptedAnswer>
  onAccepted: (draft: RoomDraft, operationId: string) => void
  /** Whether to ask before the form is left even if nothing was entered. */
  alwaysConfirmsLeaving?: boolean
}

const paths = {
  'name-taken': 'tenantName',
  'sap-number-taken': 'sapNumber',
  'region-full': 'region',
  'region-disabled': 'region',
  'product-not-served': 'region',
  'region-unknown': 'region',
} as const

/** The form that creates a room, from scratch or from a backup. */
export function NewRoomForm(props: NewRoomFormProps) {
  const { texts, original } = props
  const regions = useQuery(regionsQuery).data ?? []
  const form = useNewRoomForm(props, regions)
  const parts = useRoomFormValue(form, { regions, used: null, delegateTakesLicence })
  return (
    <RoomFormContext value={parts}>
      <FormPage form={form} leave={useLeaveTexts(texts.leave)} className={classes.form}>
        <RoomFormFailure title={texts.failed} after={texts.afterFailure} />
        {original !== undefined && <DuplicateSection original={original} />}
        <RoomSection isDuplicate={original !== undefined} />
        <LicenceSection />
        <UsersSection />
        <CustomerSection />
        <SalesSection isDuplicate={original !== undefined} />
        <SubmitBar label={texts.submit} />
      </FormPage>
    </RoomFormContext>
  )
}

/** What a duplicate does not take from its original: the SAP number, and the name, which is proposed. */
function DuplicateSection({ original }: { original: string }) {
  const { t } = useTranslation('form')
  return (
    <Section title={t('section.duplicate')} hint={t('hint.duplicate', { name: original })}>
      <SapNumberField />
      <NameField />
    </Section>
  )
}

function useNewRoomForm(props: NewRoomFormProps, regions: readonly Region[]) {
  const { initial, fixed = [], alwaysConfirmsLeaving = false, send, onAccepted, texts } = props
  const { t } = useTranslation(['form', 'capacity'])
  const queries = useQueryClient()
  const regionOf = ({ region }: RoomForm) => regions.find((each) => String(each.regionId) === region)
  const warn = (values: RoomForm) => {
    const warning = missingLicenceWarning(draftOf(values))
    if (warning !== null) toastWarning(t('warning'), textOfWarning(warning))
    const region = regionOf(values)
    if (region !== undefined && regionIsFull(region)) {
      toastError(t('region.fullTitle'), t('region.exceeded', { region: region.regionName }))
    }
  }
  return useResourceForm({
    initial,
    bodyOf: (values) => withDelegate(draftOf(values)),
    checks: (values) => errorsOfNewRoom(values, regionOf(values), today()),
    showsAtOnce,
    refusals: paths,
    pathOf,
    isFixed: (path) => (fixed as readonly string[]).includes(path),
    ...(alwaysConfirmsLeaving ? { isUnsaved: () => true } : {}),
    endsWithSuccess: true,
    onAttempt: warn,
    confirms: async ({ productType, tenantName }) =>
      productType !== 'online-shop' ||
      confirm({
        title: t('onlineShop.title'),
        question: t('onlineShop.question', { name: tenantName.trim() }),
        consequence: t('onlineShop.consequence'),
        confirm: texts.submit,
        danger: true,
      }),
    submit: send,
    onSuccess: ({ body }, draft) => onAccepted(draft, body.operationId),
    // A creation takes capacity of its region, and a refusal may mean that the region is full.
    onSettled: () => queries.invalidateQueries({ queryKey: ['regions'] }),
  })
}
