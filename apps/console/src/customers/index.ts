/** The customer-facing pages, which need no sign-in. They use neither Mantine nor the contract's client. */
export { CustomerArea } from './CustomerArea.tsx'
export { maintenanceAtStart } from './customer-calls.ts'
export { NoticeList, NoticePopup } from './Notifications.tsx'
