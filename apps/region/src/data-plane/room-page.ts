/** The plain page of a room: shows a visitor the room's state and the console's notices. */
import { Refusal } from '#refusals.ts'
import type { Region } from '#region.ts'
import { refuseDamaged } from '#rooms/find-room.ts'
import { lockInForce } from '#rooms/room-record.ts'
import { dayHasPassed, readExpirationDate } from '#rooms/room-settings.ts'
import { type ConsoleNotices, noNotices, readConsoleNotices } from './console-notices.ts'

export interface RoomPage {
  status: number
  headers: Record<string, string>
  html: string
}

type Condition = 'unknown' | 'damaged' | 'active' | 'suspended' | 'expired' | 'moving'

const texts = {
  en: {
    unknown: 'There is no project room of this name here.',
    damaged: 'This project room cannot be opened at the moment. Please turn to your provider.',
    active: 'This project room is active.',
    suspended: 'This project room is suspended. Please turn to your provider.',
    expired: 'The licence of this project room has expired. Please turn to your provider.',
    moving: 'This project room is being moved. It can be read, but not changed, for a short while.',
    maintenance: 'Maintenance',
    notifications: 'Notifications',
    welcome: 'Welcome',
  },
  de: {
    unknown: 'Einen Projektraum dieses Namens gibt es hier nicht.',
    damaged: 'Dieser Projektraum lässt sich im Moment nicht öffnen. Bitte wenden Sie sich an Ihren Anbieter.',
    active: 'Dieser Projektraum ist aktiv.',
    suspended: 'Dieser Projektraum ist angehalten. Bitte wenden Sie sich an Ihren Anbieter.',
    expired: 'Die Lizenz dieses Projektraums ist abgelaufen. Bitte wenden Sie sich an Ihren Anbieter.',
    moving: 'Dieser Projektraum zieht gerade um. Er kann für kurze Zeit gelesen, aber nicht geändert werden.',
    maintenance: 'Wartung',
    notifications: 'Benachrichtigungen',
    welcome: 'Willkommen',
  },
} as const

export async function roomPage(region: Region, name: string, acceptLanguage: string): Promise<RoomPage> {
  const { consoleUrl } = region.settings
  const notices = consoleUrl === null ? noNotices : await readConsoleNotices(consoleUrl)
  const condition = await conditionOf(region, name)
  const language = /^de\b/i.test(acceptLanguage) ? 'de' : 'en'
  return {
    status: statuses[condition] ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      // The console's messages are HTML: this policy shows them, but runs no scripts.
      'content-security-policy':
        "default-src 'none'; style-src 'unsafe-inline'; img-src https: data:; frame-src https://www.youtube-nocookie.com",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
    html: pageOf(name, condition, notices, language),
  }
}

const statuses: Partial<Record<Condition, number>> = { unknown: 404, damaged: 503 }

async function conditionOf(region: Region, name: string): Promise<Condition> {
  try {
    return await conditionOfRoom(region, name)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'room-damaged') return 'damaged'
    throw error
  }
}

function conditionOfRoom(region: Region, name: string): Promise<Condition> {
  return region.roomMutex.runExclusive(name, async () => {
    refuseDamaged(region, name)
    const now = region.index.get(name)
    if (now === undefined) return 'unknown'
    if (now.state === 'suspended') return 'suspended'
    const system = region.handles.open(region.folders.systemDatabase(now.name))
    if (dayHasPassed(readExpirationDate(system))) return 'expired'
    return lockInForce(now) === null ? 'active' : 'moving'
  })
}

function pageOf(name: string, condition: Condition, notices: ConsoleNotices, language: keyof typeof texts): string {
  const text = texts[language]
  const { maintenanceMessage: message, notifications, youtubeIdentifier } = notices
  // Popups come first, because the provider wants them to be seen.
  const ordered = [...notifications].sort((a, b) => Number(b.isPopup) - Number(a.isPopup))
  const parts = [
    message === null ? '' : section(text.maintenance, `<p>${escaped(message)}</p>`, 'maintenance'),
    ...ordered.map((each) => section(text.notifications, each.message, each.isPopup ? 'popup' : 'notification')),
    condition === 'active' && youtubeIdentifier !== null
      ? section(text.welcome, video(youtubeIdentifier), 'video')
      : '',
  ]
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(name)}</title><style>${style}</style></head>
<body><main><h1>${escaped(name)}</h1><p class="state" data-state="${condition}">${text[condition]}</p>
${parts.filter((part) => part !== '').join('\n')}
</main></body></html>
`
}

function section(title: string, content: string, kind: string): string {
  return `<section class="${kind}"><h2>${title}</h2>${content}</section>`
}

function video(identifier: string): string {
  const source = `https://www.youtube-nocookie.com/embed/${encodeURIComponent(identifier)}`
  return `<iframe src="${source}" title="YouTube" width="560" height="315" allowfullscreen></iframe>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 40rem; margin: 12vh auto; padding: 0 1rem }
h1 { margin: 0 } h2 { font-size: 1rem; margin: 0 }
section { border: 1px solid #8886; border-radius: .5rem; padding: 1rem; margin-top: 1rem; overflow-wrap: anywhere }
.popup, .maintenance { border-color: currentcolor }
iframe { max-width: 100%; border: 0 }
`
