/** Operator accounts. */
export { ChangePasswordPage } from './ChangePasswordPage.tsx'
export { OperatorsPage } from './OperatorsPage.tsx'
