/**
 * What customers may ask without signing in: where their room is, the names of their rooms by e-mail, the languages. A
 * request for names only inserts a row; a worker finds the rooms and sends the mail (send-forgotten-names.ts).
 */
export { customerHandlers } from './customer-routes.ts'
export { readLanguages } from './read-languages.ts'
export { startSendingForgottenNames } from './send-forgotten-names.ts'
export type { CustomerTables } from './tables.ts'
