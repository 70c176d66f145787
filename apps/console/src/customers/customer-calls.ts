/**
 * The calls of the customer-facing pages. They use the types of the contract, but not its client and its schemas, which
 * would more than double what these pages load.
 */
import type { CustomerNotification, Maintenance } from '@roomkeeper/contract'

/** The refusals for which the pages have texts. */
export type Refusal = 'unknown-room' | 'invalid' | 'too-many' | 'unreachable'

let maintenance: Promise<string | null> | null = null

/**
 * The maintenance message, fetched once while the app starts; null if there is no maintenance or the server did not
 * answer. Always returns the same promise, for `use`.
 */
export function maintenanceAtStart(): Promise<string | null> {
  maintenance ??= maintenanceMessage()
  return maintenance
}

async function maintenanceMessage(): Promise<string | null> {
  const setting = await read<Maintenance>('./api/maintenanceMode')
  return setting?.maintenanceMode === true ? setting.maintenanceMessage : null
}

let notices: Promise<Notice[]> | null = null

/** Fetched once. */
export function notificationsInForce(): Promise<Notice[]> {
  notices ??= read<Notice[]>('./api/customer/notifications').then((list) => list ?? [])
  return notices
}

/** As on the wire, where 1 is a popup. */
export type Notice = Omit<CustomerNotification, 'displayPopup'> & { displayPopup: 0 | 1 }

let component: Promise<boolean> | null = null

/** Whether the provider's component takes the place of the built-in pages. Asked once; the same promise, for `use`. */
export function componentIsConfigured(): Promise<boolean> {
  component ??= read<{ url: string | null }>('./api/customer/component').then((answer) => Boolean(answer?.url))
  return component
}

/** @returns the URL of the room, or why there is none */
export async function findRoom(name: string): Promise<{ url: string } | Refusal> {
  const answer = await post('./api/customer/room', { name })
  if (!(answer instanceof Response)) return answer
  try {
    return (await answer.json()) as { url: string }
  } catch {
    // The connection was lost, or something between here and the server answered in its place.
    return 'unreachable'
  }
}

/** @returns null if the request was accepted; if there are any rooms, an e-mail is on its way */
export async function askForRoomNames(email: string): Promise<Refusal | null> {
  const answer = await post('./api/customer/forgotRoomName', { email })
  return answer instanceof Response ? null : answer
}

async function read<Answer>(path: string): Promise<Answer | null> {
  try {
    const answer = await fetch(path)
    return answer.ok ? ((await answer.json()) as Answer) : null
  } catch {
    return null
  }
}

async function post(path: string, body: object): Promise<Response | Refusal> {
  const headers = { 'content-type': 'application/json' }
  try {
    const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.ok ? answer : refusalOf(answer.status)
  } catch {
    return 'unreachable'
  }
}

function refusalOf(status: number): Refusal {
  if (status === 404) return 'unknown-room'
  if (status === 400) return 'invalid'
  return status === 429 ? 'too-many' : 'unreachable'
}
