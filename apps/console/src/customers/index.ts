/** The pages of customers, who do not sign in. They do without Mantine and the contract's client. */
export { CustomerArea } from './CustomerArea.tsx'
export { maintenanceAtStart } from './customer-calls.ts'
export { NoticeList, NoticePopup } from './Notifications.tsx'
