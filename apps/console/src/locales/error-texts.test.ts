import { because, codedError, type Problem, problemOf, type RefusalCode, refusals } from '@roomkeeper/contract'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import app from './de/app.json' with { type: 'json' }
import de from './de/errors.json' with { type: 'json' }
import operations from './de/operations.json' with { type: 'json' }
import { englishErrors } from './english-errors.ts'
import { textOfFieldError, textOfProblem, textOfReason, titleOfProblem } from './error-texts.ts'

beforeAll(() =>
  i18next.init({
    lng: 'de',
    fallbackLng: 'en',
    resources: { de: { app, errors: de, operations }, en: { errors: englishErrors } },
    interpolation: { escapeValue: false },
  }),
)

function refused(code: RefusalCode | 'from-tomorrow', given: Partial<Problem> = {}): Problem {
  const { title, status } = refusals[code === 'from-tomorrow' ? 'wrong-state' : code]
  const words = { title, status, detail: 'The words of the server.', instance: '/', params: {} }
  return { ...words, type: `urn:roomkeeper:${code}`, ...given }
}

test('an error of a schema, of a rule and of the server is told in German, with its parameters', () => {
  expect(textOfFieldError(codedError('at-most-characters', { max: 60 }))).toBe('Höchstens 60 Zeichen.')
  const tooFew = codedError('designers-between', { min: 2, limit: 2147483647 })
  expect(textOfFieldError(tooFew)).toBe(
    'Die Anzahl der Designer-Lizenzen muss mindestens 2 und kleiner als 2.147.483.647 sein',
  )
  expect(textOfProblem(refused('region-disabled', { params: { region: 'north' } }))).toBe(
    'Die Region north ist deaktiviert.',
  )
})

test('numbers have the separators of the language, and take their noun', () => {
  expect(textOfReason(because('rooms-not-updated', { rooms: 12345 }))).toContain('12.345 Projekträume')
  expect(textOfReason(because('rooms-not-updated', { rooms: 1000 }))).toContain('1.000 Projekträume')
})

test('a reason inside another one is told in German too', () => {
  const reason = because('of-backup-store', { reason: because('store-secret-wrong') })
  expect(textOfReason(reason)).toBe('Der Sicherungsspeicher: Der geheime Schlüssel ist falsch.')
  expect(textOfProblem(refused('object-store-refused', { params: { reason } }))).toBe(textOfReason(reason))
})

test('a refusal that made a step fail is told in German, and in its own words where its code is new', () => {
  const params = { told: 'The region north is disabled.', region: 'north' }
  const failed = (refusal: string) => textOfReason({ code: 'told', params: { ...params, refusal } })
  expect(failed('region-disabled')).toBe('Die Region north ist deaktiviert.')
  expect(failed('from-tomorrow')).toBe(params.told)
})

test('invalid input is told by the first field that is wrong', () => {
  const { code, params } = codedError('email-invalid')
  const errors = [{ field: 'email', message: 'Please enter a valid e-mail address.', code, params }]
  expect(textOfProblem(refused('invalid-input', { errors }))).toBe('Bitte geben Sie eine gültige E-Mail-Adresse ein.')
})

test('what a newer server knows alone is told in its own words', () => {
  const error = { code: 'from-tomorrow', params: { n: 1 }, message: 'The words of the server.' }
  expect(textOfFieldError(error)).toBe(error.message)
  expect(textOfProblem(refused('from-tomorrow'))).toBe(error.message)
  const params = { reason: { code: 'from-tomorrow', params: {} } }
  expect(textOfProblem(refused('wrong-state', { params }))).toBe(error.message)
})

test('a parameter is shown as it is, whatever is in it', () => {
  const region = '{{params}} $t(errors:reasons.role) <b>'
  expect(textOfProblem(refused('region-disabled', { params: { region } }))).toBe(
    `Die Region ${region} ist deaktiviert.`,
  )
})

test('a refusal without parameters is told in its own words', () => {
  expect(textOfProblem(refused('region-disabled'))).toBe('The words of the server.')
  expect(textOfProblem(refused('wrong-state'))).toBe('The words of the server.')
})

test('a field that is wrong is never marked with a code, even when its text has not come', () => {
  expect(textOfFieldError({ code: 'from-tomorrow', params: {} })).toBe('Bitte prüfen Sie diese Eingabe.')
})

test('a step is named by its German title; one that this console does not know, by the title that the server gives', () => {
  const reason = because('past-return', { step: 'switch to the target region', stepId: 'switch' })
  const params = { reason }
  expect(textOfProblem(refused('operation-not-cancellable', { params }))).toBe(
    'Das kann nicht mehr abgebrochen werden: „auf die Zielregion umstellen“ hat begonnen.',
  )
  expect(textOfReason(because('past-return', { step: 'beam it over', stepId: 'beam' }))).toContain('„beam it over“')
  expect(textOfReason({ code: 'past-return', params: { step: 'a title without an id' } })).toContain('without an id')
})

test('a mistake of the server is told in German, with the id of the request', () => {
  const problem = refused('wrong-state', { type: 'urn:roomkeeper:internal-error', params: { request: 'r-1' } })
  expect(textOfProblem(problem)).toBe('Bei uns ist etwas schiefgegangen. Bitte melden Sie die Anfrage-Nummer r-1.')
  expect(titleOfProblem(problem)).toBe('Interner Fehler')
})

test.each([400, 404, 405, 408, 413, 429, 431, 500, 502, 503, 504, 418])(
  'the status %i without a code is told in German',
  async (status) => {
    const statusText = 'In English'
    const { problem } = await problemOf(new Response('<html>', { status, statusText }))
    expect(textOfProblem(problem)).not.toMatch(/server answered|English/)
    expect(titleOfProblem(problem)).not.toMatch(/English/)
    if (status === 418) expect(textOfProblem(problem)).toBe('Der Server hat mit 418 geantwortet.')
  },
)
