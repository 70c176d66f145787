/**
 * What customers can request without signing in: the address of their room, an e-mail with the names of their rooms,
 * and the languages. A request for names only inserts a row; send-forgotten-names.ts finds the rooms and sends the
 * e-mail.
 */
export { customerHandlers } from './customer-routes.ts'
export { readLanguages } from './read-languages.ts'
export { startSendingForgottenNames } from './send-forgotten-names.ts'
export type { CustomerTables } from './tables.ts'
