import { Button, Switch, Tooltip } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd } from '#locales/error-texts.ts'
import { FieldGrid } from '#ui/form/FieldGrid.tsx'
import { TextField } from '#ui/form/Fields.tsx'
import { Form, FormFailure } from '#ui/form/Form.tsx'
import { FormFoot } from '#ui/form/FormFoot.tsx'
import { type FormErrors, wholeForm } from '#ui/form/resource-form.ts'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { Page, Section } from '#ui/Page.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import classes from './ChangePasswordPage.module.css'

const shortestPassword = 8
const longestPassword = 64
const nothing = { oldPassword: '', newPassword: '', newPasswordReentered: '' }
const lengths = { min: shortestPassword, max: longestPassword }

/** Where operators change their own password. */
export function ChangePasswordPage() {
  const { t } = useTranslation(['operators', 'app'])
  const { email } = useOperator()
  const [isShown, setIsShown] = useState(false)
  const navigate = useNavigate()
  const onLeave = () => void navigate({ to: '/project' })
  const form = useChange(onLeave)
  const { newPassword, newPasswordReentered } = form.values
  const problem = problemOf(form.values)
  const hasFailed = form.failure !== null && !isSessionEnd(form.failure.error)
  return (
    <Page title={t('password.title')} width="form">
      <Form form={form} onKeyDown={onEnter(form.submit)}>
        {/* Tells password managers whose password this is. */}
        <input hidden readOnly autoComplete="username" value={email} />
        {hasFailed && <FormFailure title={t('password.failed')} />}
        <Section title={t('password.section')} hint={t('password.hint')}>
          <div data-wide>
            <FieldGrid>
              <Field name="oldPassword" label={t('password.old')} isShown={isShown} autoComplete="current-password" />
            </FieldGrid>
          </div>
          <Field
            name="newPassword"
            label={t('password.new')}
            isShown={isShown}
            tip={t('password.tip', lengths)}
            feedback={feedbackOf(newPassword, newPasswordReentered)}
          />
          <Field
            name="newPasswordReentered"
            label={t('password.reentered')}
            isShown={isShown}
            feedback={feedbackOf(newPasswordReentered, newPassword)}
          />
          <p data-wide className={classes.message} role="alert">
            {problem !== null && t(`password.problem.${problem}`, lengths)}
          </p>
          <Switch
            data-wide
            label={t('password.show')}
            checked={isShown}
            onChange={(event) => setIsShown(event.currentTarget.checked)}
          />
          <FormFoot>
            <Button variant="default" onClick={onLeave}>
              {t('app:cancel')}
            </Button>
            <Button type="submit" disabled={!isComplete(form.values)} loading={form.isPending}>
              {t('password.confirm')}
            </Button>
          </FormFoot>
        </Section>
      </Form>
    </Page>
  )
}

interface FieldProps {
  name: keyof typeof nothing
  label: string
  isShown: boolean
  autoComplete?: string
  tip?: string
  feedback?: 'grey' | 'red' | 'green'
}

function Field({ name, label, isShown, autoComplete = 'new-password', tip, feedback }: FieldProps) {
  const { t } = useTranslation('operators')
  return (
    <div className={classes.field} data-feedback={feedback}>
      <TextField
        name={name}
        label={label}
        required
        // All fields are required, so none needs an asterisk.
        withAsterisk={false}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        spellCheck={false}
      />
      {tip !== undefined && (
        <Tooltip label={tip}>
          <button type="button" className={`rk-icon-button ${classes.tip}`} aria-label={t('password.tipLabel')}>
            <IconInfoCircle size={16} stroke={1.8} aria-hidden />
          </button>
        </Tooltip>
      )}
    </div>
  )
}

function useChange(onDone: () => void) {
  const { t } = useTranslation('operators')
  return useResourceForm({
    initial: nothing,
    checks: (given): FormErrors => (isComplete(given) ? {} : { [wholeForm]: t('password.notPossible') }),
    showsErrors: 'after-submit',
    refusals: { 'wrong-old-password': 'oldPassword' },
    onAttempt: (given) => {
      if (!isComplete(given)) toastError(t('password.error'), t('password.notPossible'))
    },
    submit: (body) => client.call('changePassword', { body }),
    onSuccess: () => {
      toastSuccess(t('password.done.title'), t('password.done.text'))
      onDone()
    },
    onError: (error) => {
      if (!isSessionEnd(error)) toastError(t('password.error'), t('password.failed'))
    },
  })
}

/** Browsers do not submit on Enter while Confirm is disabled. Submitting anyway shows why it is not possible. */
function onEnter(act: () => void) {
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    act()
  }
}

interface NewPasswords {
  newPassword: string
  newPasswordReentered: string
}

/** The colour of a field's border: grey if too short, red if too long or different, green on a match. */
type Feedback = 'grey' | 'red' | 'green'

/** The feedback for one of the two fields. While the other one is empty, there is nothing to differ from. */
export function feedbackOf(own: string, other: string): Feedback {
  if (own.length < shortestPassword) return 'grey'
  if (own.length > longestPassword) return 'red'
  if (other === '') return 'grey'
  return own === other ? 'green' : 'red'
}

/** What is wrong with the entries so far, or null. Empty fields are not wrong yet. */
export function problemOf({ newPassword, newPasswordReentered }: NewPasswords): 'short' | 'long' | 'differ' | null {
  const entered = [newPassword, newPasswordReentered].filter((each) => each !== '')
  if (entered.some((each) => each.length > longestPassword)) return 'long'
  if (entered.some((each) => each.length < shortestPassword)) return 'short'
  return entered.length === 2 && newPassword !== newPasswordReentered ? 'differ' : null
}

export function isComplete(given: NewPasswords & { oldPassword: string }): boolean {
  const { oldPassword, newPassword, newPasswordReentered } = given
  const isLongEnough = newPassword.length >= shortestPassword && newPassword.length <= longestPassword
  return oldPassword !== '' && isLongEnough && newPassword === newPasswordReentered
}
