import { Button, Group, Switch, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { type PasswordChange, ProblemError } from '@roomkeeper/contract'
import { IconInfoCircle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { isSessionEnd, textOf } from '#api/text-of-error.ts'
import { Page } from '#ui/Page.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { Section } from '#ui/Section.tsx'
import { toastError, toastSuccess } from '#ui/toast.ts'
import classes from './ChangePasswordPage.module.css'
import { feedbackOf, isComplete, longestPassword, problemOf, shortestPassword } from './password-feedback.ts'

const nothing = { oldPassword: '', newPassword: '', newPasswordReentered: '' }

/** Where operators change their own password. @param props.onLeave after the change, and by Cancel */
export function ChangePasswordPage({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation(['operators', 'app'])
  const { email } = useOperator()
  const [given, setGiven] = useState<PasswordChange>(nothing)
  const [isShown, setIsShown] = useState(false)
  const { submit, isPending, wrongOld, failure, forget } = useChange(given, onLeave)
  const enter = (field: keyof PasswordChange) => ({
    value: given[field],
    onChange: (value: string) => {
      if (field === 'oldPassword') forget()
      setGiven({ ...given, [field]: value })
    },
    isShown,
  })
  const problem = problemOf(given)
  return (
    <Page title={t('password.title')} width="form">
      <form noValidate className={classes.form} onSubmit={prevented(submit)} onKeyDown={onEnter(submit)}>
        {/* For password managers: whose password it is. */}
        <input hidden readOnly autoComplete="username" value={email} />
        {failure !== null && <ProblemAlert title={t('password.failed')}>{failure}</ProblemAlert>}
        <Section title={t('password.section')} hint={t('password.hint')}>
          <div data-wide className={classes.fields}>
            <SecretField
              {...enter('oldPassword')}
              label={t('password.old')}
              autoComplete="current-password"
              error={wrongOld ? t('password.wrongOld') : undefined}
              data-autofocus
            />
            <SecretField
              {...enter('newPassword')}
              label={t('password.new')}
              tip={t('password.tip', { min: shortestPassword, max: longestPassword })}
              tipLabel={t('password.tipLabel')}
              autoComplete="new-password"
              feedback={feedbackOf(given.newPassword, given.newPasswordReentered)}
            />
            <SecretField
              {...enter('newPasswordReentered')}
              label={t('password.reentered')}
              autoComplete="new-password"
              feedback={feedbackOf(given.newPasswordReentered, given.newPassword)}
            />
            <p className={classes.message} role="alert">
              {problem !== null && t(`password.problem.${problem}`, { min: shortestPassword, max: longestPassword })}
            </p>
            <Switch
              label={t('password.show')}
              checked={isShown}
              onChange={(event) => setIsShown(event.currentTarget.checked)}
            />
          </div>
        </Section>
        <Group justify="flex-end">
          <Button variant="default" onClick={onLeave}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" disabled={!isComplete(given)} loading={isPending}>
            {t('password.confirm')}
          </Button>
        </Group>
      </form>
    </Page>
  )
}

interface SecretFieldProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  value: string
  onChange: (value: string) => void
  isShown: boolean
  tip?: string
  tipLabel?: string
  feedback?: 'grey' | 'red' | 'green'
}

function SecretField({ label, value, onChange, isShown, tip, tipLabel, feedback, ...rest }: SecretFieldProps) {
  return (
    <div className={classes.field} data-feedback={feedback}>
      <TextInput
        {...rest}
        label={label}
        required
        // All are: no need to mark each.
        withAsterisk={false}
        type={isShown ? 'text' : 'password'}
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {tip !== undefined && (
        <Tooltip label={tip}>
          <button type="button" className={classes.tip} aria-label={tipLabel}>
            <IconInfoCircle size={16} stroke={1.8} aria-hidden />
          </button>
        </Tooltip>
      )}
    </div>
  )
}

function useChange(given: PasswordChange, onDone: () => void) {
  const { t } = useTranslation('operators')
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => client.call('changePassword', { body: given }),
    onSuccess: () => {
      toastSuccess(t('password.done.title'), t('password.done.text'))
      onDone()
    },
    onError: (failed) => {
      if (!isSessionEnd(failed)) toastError(t('password.error'), t('password.failed'))
    },
  })
  const submit = () => {
    if (isPending) return
    if (isComplete(given)) mutate()
    else toastError(t('password.error'), t('password.notPossible'))
  }
  const wrongOld = error instanceof ProblemError && error.code === 'wrong-old-password'
  const failure = error === null || wrongOld || isSessionEnd(error) ? null : textOf(error)
  return { submit, isPending, wrongOld, failure, forget: reset }
}

function prevented(act: () => void) {
  return (event: FormEvent) => {
    event.preventDefault()
    act()
  }
}

/** Also while Confirm is disabled, when browsers do not submit by Enter: then it says that it is not possible. */
function onEnter(act: () => void) {
  return (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(event.target instanceof HTMLInputElement)) return
    event.preventDefault()
    act()
  }
}
