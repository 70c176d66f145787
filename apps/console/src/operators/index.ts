/** The accounts of operators. */
export { ChangePasswordPage } from './ChangePasswordPage.tsx'
export { OperatorsPage } from './OperatorsPage.tsx'
