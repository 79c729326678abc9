import { campaignTests } from "../../support/fabric-campaign-tests";
import { brocade } from "../../support/fabric-families";

campaignTests(brocade, "killed");
