/**
 * What customers can request without signing in: the address of their room, an e-mail with the names of their rooms,
 * and the languages. A request for names only queues an e-mail; compose-forgotten-names.ts finds the rooms when it is
 * sent.
 */
export { composeForgottenNames } from './compose-forgotten-names.ts'
export { customerHandlers } from './customer-routes.ts'
export { readLanguages } from './read-languages.ts'
