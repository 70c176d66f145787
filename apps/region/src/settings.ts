/** The settings of a region server, all by environment. A wrong value stops the start. */
import { isAbsolute, resolve } from 'node:path'
import { type RegionProduct, regionProducts } from '@roomkeeper/region-protocol'

export interface RegionSettings {
  /** 0: any free port. */
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  name: string
  userName: string
  password: string
  /** Needed to update system databases. */
  systemPassword: string
  products: readonly RegionProduct[]
  /** Where the console answers its public calls, for the plain page; null: the page shows the room's state alone. */
  consoleUrl: string | null
  /**
   * How long a look at content may take without a sign of progress, and a second more for each megabyte: what is made
   * to take for ever is given up.
   */
  checkSeconds: number
  /** How long a client may be silent that owes the rest of its request. */
  requestTimeoutSeconds: number
  /** How long a client may take nothing of an answer that waits for it. */
  answerTimeoutSeconds: number
  /** log2 N of scrypt in the database exports that are written. Tests, which inject faults, may make it cheaper. */
  exportCost: number
  /** Tests may inject faults. Never in production. */
  faults: boolean
}

/** The message names the variable and what it takes. */
export class WrongSetting extends Error {}

/** @throws {WrongSetting} */
export function readSettings(env: NodeJS.ProcessEnv): RegionSettings {
  const given = (name: string) => env[name]?.trim() || undefined
  const required = (name: string, what: string) => {
    const value = env[name]
    if (value === undefined || value === '') throw new WrongSetting(`${name} must be set: ${what}.`)
    return value
  }
  const faults = flagOf(given('REGION_FAULTS'))
  return {
    port: portOf(given('REGION_PORT') ?? '9001'),
    host: given('REGION_HOST') ?? '127.0.0.1',
    dataDir: absolute(given('REGION_DATA_DIR') ?? 'region-data'),
    name: nameOf(given('REGION_NAME') ?? 'region'),
    userName: given('REGION_USER') ?? 'superuser',
    password: required('REGION_PASSWORD', 'the password of the superuser'),
    systemPassword: required('REGION_SYSTEM_PASSWORD', 'the password for updates of system databases'),
    products: productsOf(given('REGION_PRODUCTS')),
    consoleUrl: consoleUrlOf(given('REGION_CONSOLE_URL')),
    checkSeconds: secondsOf('REGION_CHECK_SECONDS', given('REGION_CHECK_SECONDS') ?? '60', 99_999),
    requestTimeoutSeconds: secondsOf(
      'REGION_REQUEST_TIMEOUT_SECONDS',
      given('REGION_REQUEST_TIMEOUT_SECONDS') ?? '30',
      600,
    ),
    answerTimeoutSeconds: secondsOf(
      'REGION_ANSWER_TIMEOUT_SECONDS',
      given('REGION_ANSWER_TIMEOUT_SECONDS') ?? '60',
      600,
    ),
    exportCost: exportCostOf(given('REGION_EXPORT_COST'), faults),
    faults,
  }
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65535) return port
  throw new WrongSetting(`REGION_PORT must be a number from 0 to 65535 (0: any free port), not '${text}'.`)
}

function absolute(path: string): string {
  return isAbsolute(path) ? path : resolve(path)
}

function nameOf(text: string): string {
  if (text.length <= 100) return text
  throw new WrongSetting('REGION_NAME must have at most 100 characters.')
}

function productsOf(text: string | undefined): readonly RegionProduct[] {
  if (text === undefined) return regionProducts
  const names = new Set(text.split(',').map((each) => each.trim().toUpperCase()))
  const known = regionProducts.filter((product) => names.has(product))
  if (known.length === names.size) return known
  throw new WrongSetting(`REGION_PRODUCTS must be a comma-joined list of ${regionProducts.join(', ')}, not '${text}'.`)
}

function consoleUrlOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.replace(/\/+$/, '')
  throw new WrongSetting(`REGION_CONSOLE_URL must be an http or https address, not '${text}'.`)
}

function secondsOf(name: string, text: string, most: number): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (seconds >= 1 && seconds <= most) return seconds
  throw new WrongSetting(`${name} must be a number from 1 to ${most}, not '${text}'.`)
}

const exportCost = 17

function exportCostOf(text: string | undefined, faults: boolean): number {
  if (text === undefined) return exportCost
  const cost = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (cost === exportCost || (faults && cost >= 1 && cost < exportCost)) return cost
  throw new WrongSetting(`REGION_EXPORT_COST must be ${exportCost}, and is only for tests, not '${text}'.`)
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined || text === '0') return false
  if (text === '1') return true
  throw new WrongSetting(`REGION_FAULTS must be 0 or 1, not '${text}'.`)
}
