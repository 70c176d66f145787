/** Operators change their own password; administrators manage the accounts. */
import { createClient, ProblemError, type Role } from '@roomkeeper/contract'
import { administrator, bootNetwork, type Network, operatorDraft, signIn } from '@roomkeeper/dev-env'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { callWhileUncommitted } from './calls-at-once.ts'

let network: Network
beforeAll(async () => {
  network = await bootNetwork({ regions: 0 })
})
afterAll(() => network?.stop())
beforeEach(() => network.database.rows('delete from failed_sign_ins'))

let made = 0
async function newOperator(role: Role = 'CLOUD_SALES') {
  made += 1
  const account = { email: `operator${made}@example.com`, name: `Operator ${made}`, role, password: 'the old password' }
  const { id } = (await network.admin.call('createOperator', { body: account })).body
  const { email } = account
  return {
    ...account,
    id,
    signIn: (password = account.password) => signIn(at, { email, password }),
    newSession: () => network.newSession({ email }),
  }
}
const at = () => network.server.address
const change = (oldPassword: string, newPassword: string, newPasswordReentered = newPassword) => ({
  body: { oldPassword, newPassword, newPasswordReentered },
})

describe('changing the own password', () => {
  // shows: C-changePassword, C-permissions, accounts-password
  it('takes effect at once and ends all other sessions of the operator, but not this one', async () => {
    const operator = await newOperator()
    const [here, elsewhere, colleague] = await Promise.all([
      operator.newSession(),
      operator.newSession(),
      network.as('CLOUD_SUPPORT'),
    ])
    await here.call('changePassword', change('the old password', 'the new password'))
    expect((await here.call('permissions', {})).body.role).toBe('CLOUD_SALES')
    await expect(elsewhere.call('permissions', {})).rejects.toMatchObject({ problem: { status: 401 } })
    await colleague.call('permissions', {})
    await expect(operator.signIn()).rejects.toMatchObject({ problem: { status: 401 } })
    await operator.signIn('the new password')
  })

  it('is refused at its field with a wrong old password, which changes nothing', async () => {
    const operator = await newOperator()
    const [here, elsewhere] = [await operator.newSession(), await operator.newSession()]
    await expect(here.call('changePassword', change('not the old one', 'the new password'))).rejects.toMatchObject({
      problem: { status: 400, errors: [{ field: 'oldPassword', message: 'The old password is wrong.' }] },
    })
    await elsewhere.call('permissions', {})
    await operator.signIn()
  })

  it('is slowed down like a sign-in', async () => {
    const operator = await newOperator()
    const client = await operator.newSession()
    for (let failures = 0; failures < 10; failures += 1)
      await expect(client.call('changePassword', change('a guess', 'the new password'))).rejects.toThrow(ProblemError)
    await expect(client.call('changePassword', change('the old password', 'the new password'))).rejects.toMatchObject({
      problem: { status: 429 },
    })
  })

  // shows: password-lengths
  it.each([
    ['shorter than 8 characters', change('the old password', 'seven 7'), 'newPassword'],
    ['longer than 64 characters', change('the old password', 'x'.repeat(65)), 'newPassword'],
    [
      'that differs from the re-entered one',
      change('the old password', 'x'.repeat(8), 'y'.repeat(8)),
      'newPasswordReentered',
    ],
    ['without the old one', change('', 'the new password'), 'oldPassword'],
  ])('is refused with a new password %s', async (_, input, field) => {
    const { token } = await (await newOperator()).newSession()
    // Sent without the typed client, which would not send such a call.
    const answer = await fetch(`${at()}/api/operator/changeOperatorPassword`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input.body),
    })
    expect(answer.status).toBe(400)
    const { errors } = (await answer.json()) as { errors: { field: string }[] }
    expect(errors.map((each) => each.field)).toContain(field)
  })

  it('takes passwords of 8 and of 64 characters, of any script', async () => {
    const operator = await newOperator()
    const client = await operator.newSession()
    await client.call('changePassword', change('the old password', 'pässwörd'))
    await client.call('changePassword', change('pässwörd', 'x'.repeat(64)))
    await operator.signIn('x'.repeat(64))
  })

  it('is decided for one of two changes at the same time', async () => {
    const operator = await newOperator()
    const client = await operator.newSession()
    const both = await Promise.allSettled(
      ['the first new one', 'the other new one'].map((each) =>
        client.call('changePassword', change('the old password', each)),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is in the audit trail, failures too, without any password', async () => {
    const operator = await newOperator()
    const client = await operator.newSession()
    await client.call('changePassword', change('a wrong guess', 'the new password')).catch(() => undefined)
    await client.call('changePassword', change('the old password', 'the new password'))
    const rows = await network.database.rows<{ action: string; row: string }>(
      'select action, audit::text as row from audit where actor = $1 order by id desc limit 2',
      [operator.email],
    )
    expect(rows.map(({ action }) => action)).toEqual(['operator.password-change', 'operator.password-change-failed'])
    expect(rows.map(({ row }) => row).join()).not.toMatch(/guess|new password|old password/)
  })
})

describe('a sign-in that has checked the password when the account changes', () => {
  type Operator = Awaited<ReturnType<typeof newOperator>>
  const changedTo = (given: { role?: Role; password?: string }) => (operator: Operator) => {
    const { id, email, name, role } = operator
    const body = { email, name, role, ...given }
    return network.admin.call('changeOperator', { params: { id }, body })
  }
  const signInDuring = async (operator: Operator, changing: () => Promise<unknown>) => {
    const anonymous = createClient({ base: at(), token: () => null })
    const { email, password } = operator
    const [changed, signedIn] = await callWhileUncommitted(network.database, changing, () =>
      anonymous.call('signIn', { body: { email, password } }),
    )
    expect(changed.status).toBe('fulfilled')
    return signedIn
  }

  it.each<[string, (operator: Operator) => Promise<unknown>]>([
    ['an administrator has given it a new password', changedTo({ password: 'given by the admin' })],
    ['it was removed', ({ id }) => network.admin.call('deleteOperator', { params: { id } })],
  ])('is refused as with a wrong password: %s', async (_, changing) => {
    const operator = await newOperator()
    expect(await signInDuring(operator, () => changing(operator))).toMatchObject({
      status: 'rejected',
      reason: { code: 'wrong-credentials' },
    })
    expect(await network.database.rows('select from sessions where operator_id = $1', [operator.id])).toEqual([])
  })

  it('is refused as with a wrong password: the operator has changed it, and keeps only their own session', async () => {
    const operator = await newOperator()
    const here = await operator.newSession()
    const changing = () => here.call('changePassword', change('the old password', 'the new password'))
    expect(await signInDuring(operator, changing)).toMatchObject({
      status: 'rejected',
      reason: { code: 'wrong-credentials' },
    })
    await here.call('permissions', {})
    expect(await network.database.rows('select from sessions where operator_id = $1', [operator.id])).toHaveLength(1)
  })

  it('says the new role when that was changed', async () => {
    const operator = await newOperator('CLOUD_SALES')
    expect(await signInDuring(operator, () => changedTo({ role: 'CLOUD_SUPPORT' })(operator))).toMatchObject({
      status: 'fulfilled',
      value: { body: { role: 'CLOUD_SUPPORT' } },
    })
  })
})

describe('operator accounts', () => {
  // shows: C-operators
  it('are listed by e-mail without anything secret', async () => {
    const listed = ['zoe@listed.example', 'anna@listed.example', 'mia@listed.example']
    for (const email of listed)
      await network.admin.call('createOperator', { body: { ...operatorDraft('CLOUD_SUPPORT'), email } })
    const { body } = await network.admin.call('operators', {})
    const emails = body.map(({ email }) => email).filter((email) => email.endsWith('@listed.example'))
    expect(emails).toEqual(listed.toSorted())
    for (const account of body) expect(Object.keys(account).sort()).toEqual(['email', 'id', 'lockedAt', 'name', 'role'])
  })

  it('have an e-mail address each, small and capital letters alike', async () => {
    const [one, other] = [await newOperator(), await newOperator()]
    const taken = { ...one, email: one.email.toUpperCase() }
    await expect(network.admin.call('createOperator', { body: taken })).rejects.toMatchObject({
      problem: { status: 409, type: 'urn:roomkeeper:email-taken' },
    })
    await expect(network.admin.call('changeOperator', { params: { id: other.id }, body: taken })).rejects.toMatchObject(
      { problem: { status: 409, type: 'urn:roomkeeper:email-taken' } },
    )
  })

  // shows: C-changeOperator
  it('are changed with what changed in the audit trail; a new password ends the sessions and stays hidden', async () => {
    const operator = await newOperator()
    const client = await operator.newSession()
    const body = {
      email: operator.email,
      name: 'New name',
      role: 'CLOUD_SALES',
      password: 'given by the admin',
    } as const
    await network.admin.call('changeOperator', { params: { id: operator.id }, body })
    await expect(client.call('permissions', {})).rejects.toMatchObject({ problem: { status: 401 } })
    await operator.signIn('given by the admin')
    const [row] = await network.database.rows<{ changes: unknown; text: string }>(
      `select changes, audit::text as text from audit where action = 'operator.change' order by id desc limit 1`,
    )
    expect(row?.changes).toEqual([
      { field: 'name', from: operator.name, to: 'New name' },
      { field: 'password', from: '••••••••', to: '••••••••' },
    ])
    expect(row?.text).not.toContain('given by the admin')
  })

  // shows: C-deleteOperator
  it('can be removed, which ends their sessions', async () => {
    const operator = await newOperator('CLOUD_OPERATOR')
    const client = await operator.newSession()
    await network.admin.call('deleteOperator', { params: { id: operator.id } })
    await expect(client.call('permissions', {})).rejects.toMatchObject({ problem: { status: 401 } })
    await expect(network.admin.call('deleteOperator', { params: { id: operator.id } })).rejects.toMatchObject({
      problem: { status: 404 },
    })
  })

  // shows: accounts-last
  it('keep one administrator: of two who demote each other at the same moment, one stays', async () => {
    const [one, other] = [await newOperator('CLOUD_ADMINISTRATOR'), await newOperator('CLOUD_ADMINISTRATOR')]
    const [oneClient, otherClient] = [await one.newSession(), await other.newSession()]
    const own = (await network.admin.call('operators', {})).body.find(({ email }) => email === administrator.email)
    await network.database.rows(
      `update operators set role = 'CLOUD_OPERATOR' where role = 'CLOUD_ADMINISTRATOR' and id not in ($1, $2)`,
      [one.id, other.id],
    )
    const results = await Promise.allSettled([
      oneClient.call('deleteOperator', { params: { id: other.id } }),
      otherClient.call('deleteOperator', { params: { id: one.id } }),
    ])
    const left = await network.database.rows(`select id from operators where role = 'CLOUD_ADMINISTRATOR'`)
    expect(left).toHaveLength(1)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await network.database.rows(`update operators set role = 'CLOUD_ADMINISTRATOR' where id = $1`, [own?.id])
  })
})
