import { Radio, Stack } from '@mantine/core'
import { type MadeToken, mostTokenDays, roles, tokenDraft } from '@roomkeeper/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '#api/client.ts'
import { useOperator } from '#api/OperatorContext.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { showSecret } from '#ui/dialog/SecretDialog.tsx'
import { DayField } from '#ui/form/DayField.tsx'
import { hintBelow, RadioField, TextAreaField, TextField } from '#ui/form/Fields.tsx'
import { DialogButtons, Form, FormFailure } from '#ui/form/Form.tsx'
import { FormDialog } from '#ui/form/FormDialog.tsx'
import { SelectField } from '#ui/form/SelectField.tsx'
import { useResourceForm } from '#ui/form/use-resource-form.ts'
import { formatDayIn, formatMoment } from '#ui/format.ts'
import classes from './Tokens.module.css'
import { draftOf, errorsOf, lifetimes, newTokenForm } from './token-form.ts'
import { tokensQuery } from './tokens.ts'

/** Makes an API token of the operator's own. */
export function NewTokenDialog() {
  const { t } = useTranslation('tokens')
  return (
    <FormDialog title={t('create.title')} width="wide">
      <TokenEntries />
    </FormDialog>
  )
}

function TokenEntries() {
  const { t } = useTranslation(['tokens', 'app', 'operators', 'form'])
  const own = useOperator().role
  const form = useTokenForm(useCloseDialog())
  return (
    <Form form={form}>
      <TextField
        {...hintBelow}
        name="name"
        label={t('create.name')}
        description={t('create.nameHint')}
        withAsterisk
        autoComplete="off"
      />
      <div className={classes.columns}>
        <RadioField name="role" label={t('create.role')} description={t('create.roleHint')}>
          <Stack gap="xs" mt="xs">
            {roles.slice(0, roles.indexOf(own) + 1).map((role) => (
              <Radio
                key={role}
                size="xs"
                value={role}
                classNames={{ description: classes.choice }}
                label={t(`app:roles.${role}`)}
                description={t(`operators:roles.${role}`)}
              />
            ))}
          </Stack>
        </RadioField>
        <div className="rk-column">
          <SelectField name="lifetime" label={t('create.lifetime')} data={useLifetimes()} />
          {form.values.lifetime === 'day' && <LastDayField />}
          <TextAreaField
            {...hintBelow}
            name="networks"
            label={t('create.networks')}
            description={t('create.networksHint')}
            minRows={2}
            maxRows={8}
            spellCheck={false}
          />
        </div>
      </div>
      <FormFailure title={t('create.failed')} />
      <DialogButtons submit={t('create.confirm')} />
    </Form>
  )
}

function useLifetimes() {
  const { t } = useTranslation('tokens')
  return lifetimes.map((lifetime) => {
    if (lifetime === 'day') return { value: lifetime, label: t('lifetime.day') }
    const count = Number(lifetime)
    const day = formatDayIn(count)
    return {
      value: lifetime,
      label: count === mostTokenDays ? t('lifetime.year', { day }) : t('lifetime.days', { count, day }),
    }
  })
}

function LastDayField() {
  const { t } = useTranslation('tokens')
  return (
    <DayField
      name="day"
      label={t('create.day')}
      withAsterisk
      placeholder={formatDayIn(mostTokenDays - 1)}
      earliest={today()}
      calendarLabel={t('create.calendar')}
    />
  )
}

/** `YYYY-MM-DD`, in the time zone of the browser. */
function today(): string {
  return formatDayIn(0).split('.').reverse().join('-')
}

function useTokenForm(onMade: () => void) {
  const queryClient = useQueryClient()
  const show = useShowToken()
  return useResourceForm({
    initial: newTokenForm,
    bodyOf: draftOf,
    // The role is chosen from a list, and a number on the wire. What networks look like, the server knows.
    schema: tokenDraft.pick({ name: true }),
    checks: errorsOf,
    showsErrors: 'after-submit',
    refusals: { 'token-name-taken': 'name' },
    pathOf: (field) => (field === 'expiresAt' ? 'lifetime' : (field.split('.')[0] ?? field)),
    submit: async (body) => (await client.call('createToken', { body })).body,
    onSuccess: (made) => {
      onMade()
      show(made)
      return queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })
    },
  })
}

/** @returns a function that shows a token this once */
function useShowToken() {
  const { t } = useTranslation('tokens')
  return ({ name, token, expiresAt }: MadeToken) =>
    showSecret({
      title: t('made.title', { name }),
      note: t('made.note', { at: formatMoment(expiresAt) }),
      label: t('made.label'),
      secret: token,
      children: (
        <>
          <p className="rk-hint">{t('made.example')}</p>
          <pre className="rk-code">{exampleCommand}</pre>
        </>
      ),
    })
}

/** `printf` is part of the shell, so that its arguments are those of no program. */
const exampleCommand = `read -rs ROOMKEEPER_TOKEN && export ROOMKEEPER_TOKEN
printf 'Authorization: Bearer %s' "$ROOMKEEPER_TOKEN" | curl -H @- ${new URL('api/operator/caller', document.baseURI)}`
