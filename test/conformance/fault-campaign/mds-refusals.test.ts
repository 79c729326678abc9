import { campaignTests } from "../../support/fabric-campaign-tests";
import { mds } from "../../support/fabric-families";

campaignTests(mds, "refused");
