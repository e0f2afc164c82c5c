export {
  endIncident,
  type Incident,
  listIncidents,
  openIncident,
  readStatus,
  type ServiceStatus,
  UPTIME_DAYS,
  uptimeShare,
} from './read-status.ts';
